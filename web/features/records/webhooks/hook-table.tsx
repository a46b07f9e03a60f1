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
import { Table } from '../../../ui/table.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { useRecordChange, recordsKey } from '../record-queries.ts'
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
  const change = useRecordChange(group.id)
  const toggle = ({ id, is_active }: Hook) =>
    change.mutate(
      () => call('PATCH', '/api/webhooks/{id}', { path: { id }, body: { is_active: !is_active } }),
      { onSuccess: () => toast.success(is_active ? 'Webhook paused' : 'Webhook resumed') },
    )
  return (
    <>
      <Table
        label="Webhooks"
        rows={hooks}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Webhook',
            value: ({ name }) => name,
            cell: ({ name, kind }) => (
              <div className="min-w-0">
                <p className="font-medium">{name}</p>
                <p className="text-xs text-ink-faint">{kindWords[kind].name}</p>
              </div>
            ),
          },
          {
            name: 'State',
            cell: ({ is_active }) => (
              <StatusDot status={is_active ? 'ok' : 'off'}>{is_active ? 'Active' : 'Paused'}</StatusDot>
            ),
          },
          {
            name: 'Address',
            cell: ({ url }) => (
              <span className="flex min-w-0 items-center gap-1">
                <code className="max-w-72 truncate font-mono xl:max-w-120 text-xs" title={url}>
                  {url}
                </code>
                <CopyButton text={url} what="address" className="size-6" />
              </span>
            ),
          },
          {
            name: 'Last delivery',
            time: ({ last_delivery_at }) => last_delivery_at,
            short: 'Delivery',
            cell: (hook) => <LastDelivery hook={hook} />,
          },
          {
            name: 'Actions',
            cell: (hook) => (
              <RowMenu
                name={hook.name}
                noun="webhook"
                onEdit={() => setOpened({ dialog: 'edit', hook })}
                onDelete={() => setOpened({ dialog: 'delete', hook })}
              >
                <MenuItem icon={ListFilter} onSelect={() => onShow(hook.id)}>
                  Show deliveries
                </MenuItem>
                <MenuItem icon={BookOpen} onSelect={() => setOpened({ dialog: 'setup', hook })}>
                  Show setup steps
                </MenuItem>
                <MenuItem icon={KeyRound} onSelect={() => setOpened({ dialog: 'secret', hook })}>
                  Change secret
                </MenuItem>
                <MenuItem icon={hook.is_active ? Pause : Play} onSelect={() => toggle(hook)}>
                  {hook.is_active ? 'Pause webhook' : 'Resume webhook'}
                </MenuItem>
              </RowMenu>
            ),
          },
        ]}
      />
      {opened?.dialog === 'edit' && <EditHookDialog groupId={group.id} hook={opened.hook} onClose={close} />}
      {opened?.dialog === 'secret' && (
        <NewSecretDialog groupId={group.id} hook={opened.hook} onClose={close} />
      )}
      {opened?.dialog === 'setup' && <SetupDialog hook={opened.hook} onClose={close} />}
      {opened?.dialog === 'delete' && (
        <DeleteDialog
          queryKey={recordsKey(group.id)}
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

function LastDelivery({ hook: { last_delivery_at, last_status } }: { hook: Hook }) {
  if (last_delivery_at === null) return 'none yet'
  return (
    <span className="flex items-center gap-2">
      <MomentText time={last_delivery_at} />
      {last_status !== null && <Badge tone={statusTones[last_status]}>{statusNames[last_status]}</Badge>}
    </span>
  )
}
