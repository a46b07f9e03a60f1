import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import {
  Check,
  Database,
  EllipsisVertical,
  KeyRound,
  Pencil,
  PlugZap,
  SquareTerminal,
  Trash2,
  X,
} from 'lucide-react'
import { toast } from 'sonner'
import { clsx } from 'clsx'
import type { OfferedDatabase } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { useChanges } from '../../../api/refresh-queries.ts'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { sqlKey } from '../sql-queries.ts'
import { DatabaseDialog } from './database-dialog.tsx'
import {
  abilities,
  abilityNames,
  canBeSetUp,
  environmentNames,
  environmentTones,
  placeOf,
  reasonsOf,
} from './database-words.ts'
import { NextSteps } from './next-steps.tsx'
import { SetupDialog } from './setup-dialog.tsx'

interface DatabaseCardProps {
  group: CurrentGroup
  database: OfferedDatabase
}

type Opened = 'edit' | 'remove' | 'set up'

/** One database: where it is, what works in it, and what to do next. */
export function DatabaseCard({ group, database }: DatabaseCardProps) {
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const { name, purpose, environment, schemas } = database
  const manages = mayManage(group.role)
  return (
    <section aria-label={name} className="rounded-xl border border-line bg-surface p-5 shadow-low">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 gap-3">
          <span
            aria-hidden
            className="grid size-9 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-ink-faint"
          >
            <Database className="size-4" />
          </span>
          <div className="min-w-0">
            <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base font-semibold">
              {name}
              {environment !== null && (
                <Badge tone={environmentTones[environment]}>{environmentNames[environment]}</Badge>
              )}
              <SetUpBadge database={database} />
            </h2>
            <p className="mt-0.5 text-sm text-ink-soft [overflow-wrap:anywhere]">
              {purpose ?? placeOf(database) ?? 'Added by the group'}
            </p>
            {database.source === 'group' && (
              <p className="mt-0.5 text-xs text-ink-faint">
                {`Agents may change the structure of ${schemas.join(', ')}`}
              </p>
            )}
          </div>
        </div>
        <Actions group={group} database={database} onOpen={setOpened} />
      </div>
      <Available available={database.available} />
      {manages && <NextSteps group={group} database={database} onSetUp={() => setOpened('set up')} />}
      {opened === 'edit' && <DatabaseDialog groupId={group.id} database={database} onClose={close} />}
      {opened === 'set up' && <SetupDialog groupId={group.id} database={database} onClose={close} />}
      {opened === 'remove' && (
        <DeleteDialog
          queryKey={sqlKey(group.id)}
          remove={() => call('DELETE', '/api/v1/sql/databases/{name}', { path: { name } })}
          verb="Remove"
          noun="database"
          name={name}
          onClose={close}
        >
          <p>
            Signalbox forgets its address and the logins of its agents, and agents no longer reach it. The
            database stays as it is, with the roles of the set-up.
          </p>
        </DeleteDialog>
      )}
    </section>
  )
}

/** A database that works with its own login does not need the set-up. */
function SetUpBadge({ database: { is_set_up, available } }: Pick<DatabaseCardProps, 'database'>) {
  if (is_set_up) return <Badge tone="success">Set up</Badge>
  return abilities.every((each) => available[each].ok) ? null : <Badge>Not set up</Badge>
}

function Available({ available }: Pick<OfferedDatabase, 'available'>) {
  const reasons = reasonsOf(available)
  return (
    <div className="mt-4 space-y-2 text-sm">
      <ul aria-label="Available" className="flex flex-wrap gap-x-5 gap-y-1">
        {abilities.map((each) => {
          const { ok } = available[each]
          const Icon = ok ? Check : X
          return (
            <li key={each} className={clsx('flex items-center gap-1.5', !ok && 'text-ink-faint')}>
              <Icon aria-hidden className={clsx('size-4', ok ? 'text-success' : 'text-danger')} />
              {abilityNames[each]}
              <span className="sr-only">{ok ? ' works' : ' does not work'}</span>
            </li>
          )
        })}
      </ul>
      {reasons.map(({ about, reason }) => (
        <p key={reason} className="text-ink-soft [overflow-wrap:anywhere]">
          {about !== 'All' && <span className="font-medium">{`${about}: `}</span>}
          {reason}
        </p>
      ))}
    </div>
  )
}

interface ActionsProps {
  group: CurrentGroup
  database: OfferedDatabase
  onOpen: (dialog: Opened) => void
}

function Actions({ group, database, onOpen }: ActionsProps) {
  const { name } = database
  const test = useChanges<OfferedDatabase>(sqlKey(group.id))
  const tryNow = () =>
    test.mutate(() => call('POST', '/api/v1/sql/databases/{name}/test', { path: { name } }), {
      onSuccess: ({ is_available, problem }) =>
        is_available
          ? toast.success(`${name} works`, { description: 'Signalbox has logged in.' })
          : toast.error(`${name} does not work`, { description: problem }),
      onError: ({ message }) => toast.error('Not tested', { description: message }),
    })
  const manages = mayManage(group.role)
  return (
    <span className="flex items-center gap-1">
      <Link
        to="/sql"
        search={{ database: name }}
        aria-label={`Query ${name}`}
        className={buttonClass('plain', 'small')}
      >
        <SquareTerminal aria-hidden className="size-4" /> Query
      </Link>
      {manages && (
        <>
          <Button
            size="small"
            icon={PlugZap}
            busy={test.isPending}
            onClick={tryNow}
            aria-label={`Test ${name} now`}
          >
            Test now
          </Button>
          {canBeSetUp(database) && (
            <Menu trigger={<IconButton label={`Actions for ${name}`} icon={EllipsisVertical} />}>
              <MenuItem icon={KeyRound} onSelect={() => onOpen('set up')}>
                {database.is_set_up ? 'Set up again' : 'Set up'}
              </MenuItem>
              {database.source === 'group' && (
                <>
                  <MenuItem icon={Pencil} onSelect={() => onOpen('edit')}>
                    Edit database
                  </MenuItem>
                  <MenuItem icon={Trash2} danger onSelect={() => onOpen('remove')}>
                    Remove database
                  </MenuItem>
                </>
              )}
            </Menu>
          )}
        </>
      )}
    </span>
  )
}
