import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import type { Grant } from '#sql/contract'
import { call } from '../../../api/client.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useChange } from '../../../api/refresh-queries.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { Table } from '../../../ui/table.tsx'
import { grantsQuery, sqlKey } from '../sql-queries.ts'
import { GrantDialog } from './grant-dialog.tsx'
import { remainingText } from './remaining.ts'

interface GrantsCardProps {
  group: CurrentGroup
  manages: boolean
}

/** More than a policy allows, for a time. */
export function GrantsCard({ group, manages }: GrantsCardProps) {
  const grants = useQuery(grantsQuery(group.id))
  const [isGiving, setGiving] = useState(false)
  const [revoked, setRevoked] = useState<Grant | null>(null)
  const give = manages && (
    <Button icon={Plus} onClick={() => setGiving(true)}>
      Give a grant
    </Button>
  )
  return (
    <Card
      title="Grants"
      description="Temporary permissions beyond the policy of an agent. Each one expires automatically."
      action={grants.data && grants.data.length > 0 && give}
    >
      {grants.error && <FailureNotice error={grants.error} onRetry={() => grants.refetch()} />}
      {grants.isPending && <ListSkeleton />}
      {grants.data?.length === 0 && (
        <EmptyState icon={KeyRound} title="No grants yet" action={give}>
          An agent that needs a masked column or a denied table for two hours gets a grant instead of another
          policy. The audit log names it with every statement that it made possible.
        </EmptyState>
      )}
      {grants.data && grants.data.length > 0 && (
        <GrantsTable grants={grants.data} manages={manages} onRevoke={setRevoked} />
      )}
      {isGiving && <GrantDialog group={group} onClose={() => setGiving(false)} />}
      {revoked && <RevokeDialog groupId={group.id} grant={revoked} onClose={() => setRevoked(null)} />}
    </Card>
  )
}

interface GrantsTableProps {
  grants: readonly Grant[]
  manages: boolean
  onRevoke: (grant: Grant) => void
}

function GrantsTable({ grants, manages, onRevoke }: GrantsTableProps) {
  return (
    <Table
      label="Grants"
      rows={grants}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'For',
          value: ({ agent_id: agent }) => agent,
          cell: ({ agent_id: agent, database }) => (
            <div className="min-w-0">
              <p className="text-sm font-medium [overflow-wrap:anywhere]">{agent}</p>
              <p className="text-xs text-ink-faint">in {database}</p>
            </div>
          ),
        },
        { name: 'Gets', cell: (grant) => <Parts grant={grant} /> },
        {
          name: 'Given',
          time: ({ created_at }) => created_at,
          cell: ({ created_at, given_by, reason }) => (
            <div className="max-w-80 min-w-0 text-sm">
              <p className="[overflow-wrap:anywhere]">{reason}</p>
              <p className="text-xs text-ink-faint [overflow-wrap:anywhere]">
                {given_by}, <MomentText time={created_at} />
              </p>
            </div>
          ),
        },
        { name: 'Time left', value: ({ expires_at }) => expires_at, cell: (grant) => <Left grant={grant} /> },
        {
          name: 'Actions',
          cell: (grant) =>
            manages &&
            grant.status === 'active' && (
              <Button aria-label={`Revoke the grant of ${grant.agent_id}`} onClick={() => onRevoke(grant)}>
                Revoke
              </Button>
            ),
        },
      ]}
    />
  )
}

function Parts({ grant: { operations, tables, unmask } }: { grant: Grant }) {
  const parts = [
    ['Runs', operations],
    ['Reaches', tables],
    ['Sees', unmask],
  ] as const
  return (
    <div className="space-y-1">
      {parts.map(
        ([label, names]) =>
          names.length > 0 && (
            <p key={label} className="flex flex-wrap items-center gap-1.5 text-xs text-ink-faint">
              {label}
              {names.map((name) => (
                <Badge key={name} mono>
                  {name}
                </Badge>
              ))}
            </p>
          ),
      )}
    </div>
  )
}

function Left({ grant: { status, expires_at, revoked_by } }: { grant: Grant }) {
  if (status === 'active') return <Badge tone="accent">{remainingText(expires_at, Date.now())}</Badge>
  if (status === 'ended') return <Badge>Ended</Badge>
  return (
    <span title={`By ${revoked_by ?? 'somebody'}`}>
      <Badge>Revoked</Badge>
    </span>
  )
}

interface RevokeDialogProps {
  groupId: string
  grant: Grant
  onClose: () => void
}

function RevokeDialog({ groupId, grant, onClose }: RevokeDialogProps) {
  const { mutate, isPending, error } = useChange(sqlKey(groupId), () =>
    call('DELETE', '/api/v1/sql/grants/{id}', { path: { id: grant.id } }),
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Revoke grant?"
      action="Revoke grant"
      busy={isPending}
      error={error}
      onConfirm={() => mutate(undefined, { onSuccess: onClose })}
    >
      <p>
        From now on only the policy of {grant.agent_id} counts in {grant.database}. A statement that runs is
        not stopped.
      </p>
    </ConfirmDialog>
  )
}
