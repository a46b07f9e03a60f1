import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical, History, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Alert } from '#limits/contract'
import { call } from '../../api/client.ts'
import { useChanges } from '../../api/refresh-queries.ts'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Table } from '../../ui/table.tsx'
import { AlertDialog } from './alert-dialog.tsx'
import { alertChannelsQuery, alertsKey } from './alert-queries.ts'
import { conditionOf, kindNames, severityNames, severityTones } from './alert-words.ts'

interface AlertTableProps {
  group: CurrentGroup
  alerts: readonly Alert[]
  /** Shows what one alert reported. */
  onShow: (alertId: string) => void
}

interface Opened {
  dialog: 'edit' | 'delete'
  alert: Alert
}

export function AlertTable({ group, alerts, onShow }: AlertTableProps) {
  const [opened, setOpened] = useState<Opened | undefined>()
  // Only those who manage the group may read its channels.
  const names = useQuery({ ...alertChannelsQuery(group.id), enabled: mayManage(group.role) })
  const close = () => setOpened(undefined)
  const change = useChanges(alertsKey(group.id))
  const toggle = ({ id, is_active }: Alert) =>
    change.mutate(
      () => call('PATCH', '/api/v1/alerts/{id}', { path: { id }, body: { is_active: !is_active } }),
      { onSuccess: () => toast.success(is_active ? 'Alert turned off' : 'Alert turned on') },
    )
  return (
    <>
      <Table
        label="Alerts"
        rows={alerts}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Alert',
            value: ({ name }) => name,
            cell: (alert) => (
              <div className="min-w-0">
                <Link
                  to="/alerts"
                  search={{ alert: alert.id }}
                  resetScroll={false}
                  title="Show history"
                  className="font-medium hover:underline"
                >
                  {alert.name}
                </Link>
                <p className="text-xs text-ink-faint first-letter:uppercase">
                  {alert.name === kindNames[alert.kind] ? '' : `${kindNames[alert.kind]}: `}
                  {conditionOf(alert)}
                </p>
              </div>
            ),
          },
          { name: 'State', value: stateOrder, cell: (alert) => <AlertState alert={alert} /> },
          {
            name: 'Severity',
            value: ({ severity }) => severityNames[severity],
            cell: ({ severity }) => <Badge tone={severityTones[severity]}>{severityNames[severity]}</Badge>,
          },
          {
            name: 'Channels',
            value: ({ channels }) => channels.length,
            cell: ({ channels }) => channelText(channels, names.data ?? []),
            className: 'text-sm text-ink-soft',
          },
          { name: 'Last fired', time: ({ last_fired_at }) => last_fired_at, none: 'Never' },
          {
            name: 'Actions',
            cell: (alert) => (
              <Menu trigger={<IconButton label={`Actions for ${alert.name}`} icon={EllipsisVertical} />}>
                <MenuItem icon={History} onSelect={() => onShow(alert.id)}>
                  Show history
                </MenuItem>
                {mayManage(group.role) && (
                  <>
                    <MenuItem icon={alert.is_active ? Pause : Play} onSelect={() => toggle(alert)}>
                      {alert.is_active ? 'Turn off' : 'Turn on'}
                    </MenuItem>
                    <MenuItem icon={Pencil} onSelect={() => setOpened({ dialog: 'edit', alert })}>
                      Edit alert
                    </MenuItem>
                    <MenuItem icon={Trash2} danger onSelect={() => setOpened({ dialog: 'delete', alert })}>
                      Delete alert
                    </MenuItem>
                  </>
                )}
              </Menu>
            ),
          },
        ]}
      />
      {opened?.dialog === 'edit' && <AlertDialog groupId={group.id} alert={opened.alert} onClose={close} />}
      {opened?.dialog === 'delete' && (
        <DeleteDialog
          queryKey={alertsKey(group.id)}
          remove={() => call('DELETE', '/api/v1/alerts/{id}', { path: { id: opened.alert.id } })}
          noun="alert"
          name={opened.alert.name}
          onClose={close}
        >
          What is firing ends. Its events stay in the console.
        </DeleteDialog>
      )}
    </>
  )
}

const stateOrder = ({ is_active, state }: Alert): number => (state === 'firing' ? 0 : is_active ? 1 : 2)

function AlertState({ alert: { is_active, state } }: { alert: Alert }) {
  const [status, text] = !is_active
    ? (['off', 'Off'] as const)
    : state === 'firing'
      ? (['error', 'Firing'] as const)
      : (['ok', 'OK'] as const)
  return (
    <span className="text-sm">
      <StatusDot status={status}>{text}</StatusDot>
    </span>
  )
}

function channelText(ids: readonly string[], channels: readonly { id: string; name: string }[]): string {
  if (ids.length === 0) return 'All that match'
  const known = channels.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return known.length === ids.length ? known.join(', ') : `${ids.length} chosen`
}
