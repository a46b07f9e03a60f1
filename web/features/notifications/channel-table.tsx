import { useState } from 'react'
import { EllipsisVertical, ListChecks, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Channel, TestResult } from '#notifications/contract'
import { call } from '../../api/client.ts'
import { useChanges } from '../../api/refresh-queries.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { kindNameOf, severityNames } from '../../ui/notification-words.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Table } from '../../ui/table.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { channelsKey } from './channel-queries.ts'
import { iconOf, placeOf, typeNames } from './channel-words.ts'
import { listText } from './list-text.ts'

interface ChannelTableProps {
  group: CurrentGroup
  channels: Channel[]
  /** Shows the deliveries of one channel. */
  onShow: (channelId: string) => void
}

interface Opened {
  dialog: 'edit' | 'delete'
  channel: Channel
}

export function ChannelTable({ group, channels, onShow }: ChannelTableProps) {
  const [opened, setOpened] = useState<Opened | undefined>()
  const close = () => setOpened(undefined)
  return (
    <>
      <Table
        label="Channels"
        rows={channels}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'Channel',
            value: ({ name }) => name,
            cell: (channel) => <Name channel={channel} />,
            // Room for the two buttons of the row, which are beside the name on a phone.
            className: 'max-md:pr-32',
          },
          { name: 'State', cell: (channel) => <State channel={channel} /> },
          {
            name: 'Gets',
            cell: ({ kinds, min_severity }) => (
              <span className="text-sm text-ink-soft">
                {kinds.length === 0 ? 'Everything' : listText(kinds.map(kindNameOf))}
                {min_severity !== 'info' && `, ${severityNames[min_severity].toLowerCase()} and above`}
              </span>
            ),
          },
          {
            name: 'Last delivered',
            short: 'Delivered',
            time: ({ last_delivered_at }) => last_delivered_at,
            none: 'never',
          },
          {
            name: 'Actions',
            cell: (channel) => (
              <Actions
                group={group}
                channel={channel}
                onShow={() => onShow(channel.id)}
                onOpen={(dialog) => setOpened({ dialog, channel })}
              />
            ),
          },
        ]}
      />
      {opened?.dialog === 'edit' && (
        <ChannelDialog groupId={group.id} channel={opened.channel} onClose={close} />
      )}
      {opened?.dialog === 'delete' && (
        <DeleteDialog
          queryKey={channelsKey(group.id)}
          remove={() => call('DELETE', '/api/v1/channels/{id}', { path: { id: opened.channel.id } })}
          noun="channel"
          name={opened.channel.name}
          onClose={close}
        >
          <p>Messages that wait are not sent, and its history is deleted.</p>
        </DeleteDialog>
      )}
    </>
  )
}

function Name({ channel }: { channel: Channel }) {
  const Icon = iconOf(channel.type)
  return (
    <div className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-ink-faint"
      >
        <Icon className="size-4" />
      </span>
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{channel.name}</p>
        <p className="max-w-72 truncate text-xs text-ink-faint xl:max-w-100" title={placeOf(channel)}>
          {typeNames[channel.type]} · {placeOf(channel)}
        </p>
      </div>
    </div>
  )
}

function State({ channel: { is_active, failures, failing_since, last_error } }: { channel: Channel }) {
  if (!is_active || failing_since === null)
    return (
      <span className="text-sm">
        <StatusDot status={is_active ? 'ok' : 'off'}>{is_active ? 'Active' : 'Paused'}</StatusDot>
      </span>
    )
  return (
    <span className="block text-sm">
      {failures === 0 ? (
        <StatusDot status="warning">Reaches only some</StatusDot>
      ) : (
        <StatusDot status="error">Failing</StatusDot>
      )}
      <span className="mt-0.5 block max-w-56 truncate text-xs text-ink-faint" title={last_error ?? ''}>
        {last_error}
      </span>
    </span>
  )
}

interface ActionsProps {
  group: CurrentGroup
  channel: Channel
  onShow: () => void
  onOpen: (dialog: Opened['dialog']) => void
}

function Actions({ group, channel: { id, name, is_active }, onShow, onOpen }: ActionsProps) {
  const change = useChanges(channelsKey(group.id))
  const test = useChanges<TestResult>(channelsKey(group.id))
  const toggle = () =>
    change.mutate(
      () => call('PATCH', '/api/v1/channels/{id}', { path: { id }, body: { is_active: !is_active } }),
      { onSuccess: () => toast.success(is_active ? 'Channel paused' : 'Channel resumed') },
    )
  const send = () =>
    test.mutate(() => call('POST', '/api/v1/channels/{id}/test', { path: { id } }), {
      onSuccess: ({ ok, error, response }) =>
        ok
          ? toast.success('Test delivered', { description: `${name} accepted it.` })
          : toast.error('Test failed', { description: [error, response].filter(Boolean).join(' ') }),
      onError: ({ message }) => toast.error('Test not sent', { description: message }),
    })
  return (
    <span className="flex items-center justify-end gap-1">
      <Button size="small" icon={Send} busy={test.isPending} onClick={send} aria-label={`Test ${name}`}>
        Test
      </Button>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={EllipsisVertical} />}>
        <MenuItem icon={ListChecks} onSelect={onShow}>
          Show deliveries
        </MenuItem>
        <MenuItem icon={is_active ? Pause : Play} onSelect={toggle}>
          {is_active ? 'Pause channel' : 'Resume channel'}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => onOpen('edit')}>
          Edit channel
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => onOpen('delete')}>
          Delete channel
        </MenuItem>
      </Menu>
    </span>
  )
}
