import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { BookOpen, KeyRound, ListFilter, Pause, Play } from 'lucide-react'
import { toast } from 'sonner'
import type { Hook } from '#webhooks/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { timeValue } from '../../../ui/sorting.ts'
import { Cell, Row, Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../delete-dialog.tsx'
import { useRecordChange } from '../record-queries.ts'
import { RowMenu } from '../row-menu.tsx'
import { EditHookDialog, NewSecretDialog } from './edit-hook-dialog.tsx'
import { kindWords, statusNames, statusTones } from './hook-words.ts'
import { SetupDialog } from './setup-steps.tsx'

interface HookTableProps {
  group: CurrentGroup
  hooks: Hook[]
  /** Shows the deliveries of one webhook. */
  onShow: (hookId: string) => void
}

interface Opened {
  dialog: 'edit' | 'delete' | 'setup' | 'secret'
  hook: Hook
}

export function HookTable({ group, hooks, onShow }: HookTableProps) {
  const [opened, setOpened] = useState<Opened | undefined>()
  const close = () => setOpened(undefined)
  return (
    <>
      <Table
        label="Webhooks"
        columns={['Webhook', 'State', 'Address', 'Last delivery', 'Actions']}
        rows={hooks}
        sortBy={{
          Webhook: ({ name }) => name,
          'Last delivery': ({ last_delivery_at }) => timeValue(last_delivery_at),
        }}
      >
        {(hook) => (
          <HookRow
            key={hook.id}
            group={group}
            hook={hook}
            onShow={() => onShow(hook.id)}
            onOpen={(dialog) => setOpened({ dialog, hook })}
          />
        )}
      </Table>
      {opened?.dialog === 'edit' && <EditHookDialog groupId={group.id} hook={opened.hook} onClose={close} />}
      {opened?.dialog === 'secret' && (
        <NewSecretDialog groupId={group.id} hook={opened.hook} onClose={close} />
      )}
      {opened?.dialog === 'setup' && <SetupDialog hook={opened.hook} onClose={close} />}
      {opened?.dialog === 'delete' && (
        <DeleteDialog
          groupId={group.id}
          remove={() => call('DELETE', '/api/webhooks/{id}', { path: { id: opened.hook.id } })}
          noun="webhook"
          name={opened.hook.name}
          onClose={close}
        >
          <p>Its sender is refused from now on, and its deliveries are deleted. Records that it made stay.</p>
        </DeleteDialog>
      )}
    </>
  )
}

interface HookRowProps {
  group: CurrentGroup
  hook: Hook
  onShow: () => void
  onOpen: (dialog: Opened['dialog']) => void
}

function HookRow({ group, hook, onShow, onOpen }: HookRowProps) {
  const change = useRecordChange(group.id)
  const toggle = () =>
    change.mutate(
      () =>
        call('PATCH', '/api/webhooks/{id}', { path: { id: hook.id }, body: { is_active: !hook.is_active } }),
      { onSuccess: () => toast.success(hook.is_active ? 'Webhook paused' : 'Webhook resumed') },
    )
  return (
    <Row>
      <Cell part="lead">
        <div className="min-w-0">
          <p className="font-medium">{hook.name}</p>
          <p className="text-xs text-ink-faint">{kindWords[hook.kind].name}</p>
        </div>
      </Cell>
      <Cell label="State">
        <StatusDot status={hook.is_active ? 'ok' : 'off'}>{hook.is_active ? 'Active' : 'Paused'}</StatusDot>
      </Cell>
      <Cell label="Address">
        <span className="flex min-w-0 items-center gap-1">
          <code className="max-w-72 truncate font-mono xl:max-w-120 text-xs">{hook.url}</code>
          <CopyButton text={hook.url} what="address" className="size-6" />
        </span>
      </Cell>
      <Cell label="Delivery" className="text-sm text-ink-soft">
        {hook.last_delivery_at === null ? (
          'none yet'
        ) : (
          <span className="flex items-center gap-2">
            <MomentText time={hook.last_delivery_at} />
            {hook.last_status !== null && (
              <Badge tone={statusTones[hook.last_status]}>{statusNames[hook.last_status]}</Badge>
            )}
          </span>
        )}
      </Cell>
      <Cell part="actions">
        <RowMenu
          name={hook.name}
          noun="webhook"
          onEdit={() => onOpen('edit')}
          onDelete={() => onOpen('delete')}
        >
          <MenuItem icon={ListFilter} onSelect={onShow}>
            Show deliveries
          </MenuItem>
          <MenuItem icon={BookOpen} onSelect={() => onOpen('setup')}>
            Show setup steps
          </MenuItem>
          <MenuItem icon={KeyRound} onSelect={() => onOpen('secret')}>
            Change secret
          </MenuItem>
          <MenuItem icon={hook.is_active ? Pause : Play} onSelect={toggle}>
            {hook.is_active ? 'Pause webhook' : 'Resume webhook'}
          </MenuItem>
        </RowMenu>
      </Cell>
    </Row>
  )
}
