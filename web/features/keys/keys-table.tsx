import { Link } from '@tanstack/react-router'
import { Ban, EllipsisVertical, Pencil, RotateCw } from 'lucide-react'
import type { ApiKey, Member } from '#access/contract'
import type { Limit } from '#limits/contract'
import { LimitBars, limitsFor } from '../limits/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Table } from '../../ui/table.tsx'
import { KeyStateText, Scopes } from './key-parts.tsx'

interface KeysTableProps {
  keys: ApiKey[]
  members: readonly Member[]
  limits: readonly Limit[]
  onEdit: (key: ApiKey) => void
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export function KeysTable({ keys, members, limits, onEdit, onRotate, onRevoke }: KeysTableProps) {
  const limitsOf = (key: ApiKey) => limitsFor(limits, 'api_key', key.id)
  const creator = (key: ApiKey) => members.find((member) => member.user_id === key.created_by)?.name
  return (
    <Table
      label="Keys"
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Key',
          value: ({ name }) => name,
          cell: ({ id, name, key_prefix, key_suffix, previous_valid_until }) => (
            <div className="min-w-0">
              <Link
                to="/keys/$id"
                params={{ id }}
                className="block max-w-80 font-medium [overflow-wrap:anywhere] hover:underline"
              >
                {name}
              </Link>
              <p className="font-mono text-xs text-ink-faint">
                {key_prefix}…{key_suffix}
              </p>
              {previous_valid_until !== null && (
                <p className="text-xs text-ink-faint">
                  The old value ends <MomentText time={previous_valid_until} />
                </p>
              )}
            </div>
          ),
        },
        { name: 'Status', cell: (key) => <KeyStateText apiKey={key} /> },
        { name: 'Scopes', cell: (key) => <Scopes apiKey={key} /> },
        ...(keys.some((key) => limitsOf(key).length > 0)
          ? [
              {
                name: 'Limits',
                cell: (key: ApiKey) => <LimitBars limits={limitsOf(key)} of={key.name} />,
              },
            ]
          : []),
        { name: 'Last used', time: ({ last_used_at }) => last_used_at, none: 'never' },
        {
          name: 'Created',
          time: ({ created_at }) => created_at,
          cell: (key) => (
            <span>
              <MomentText time={key.created_at} />
              {key.created_by !== null && creator(key) !== undefined && (
                <Link
                  to="/people/$id"
                  params={{ id: key.created_by }}
                  className="block text-xs text-ink-faint hover:underline"
                >
                  {creator(key)}
                </Link>
              )}
            </span>
          ),
        },
        {
          name: 'Actions',
          cell: (key) =>
            key.revoked_at === null && (
              <Menu trigger={<IconButton label={`Actions for ${key.name}`} icon={EllipsisVertical} />}>
                <MenuItem icon={Pencil} onSelect={() => onEdit(key)}>
                  Edit key
                </MenuItem>
                <MenuItem icon={RotateCw} onSelect={() => onRotate(key)}>
                  Rotate key
                </MenuItem>
                <MenuItem icon={Ban} danger onSelect={() => onRevoke(key)}>
                  Revoke key
                </MenuItem>
              </Menu>
            ),
        },
      ]}
    />
  )
}
