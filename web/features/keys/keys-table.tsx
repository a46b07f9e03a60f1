import { Ban, EllipsisVertical, Pencil, RotateCw } from 'lucide-react'
import type { ApiKey, Member } from '#access/contract'
import type { Limit } from '#limits/contract'
import { LimitBars, limitsFor } from '../limits/index.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Table } from '../../ui/table.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { expiresSoon, stateOf } from './key-list.ts'

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
          cell: ({ name, key_prefix, key_suffix, previous_valid_until }) => (
            <div className="min-w-0">
              <p className="max-w-80 font-medium">{name}</p>
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
              {creator(key) !== undefined && (
                <span className="block text-xs text-ink-faint">{creator(key)}</span>
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

function Scopes({ apiKey }: { apiKey: ApiKey }) {
  const overrides = Object.keys(apiKey.provider_key_overrides)
  return (
    <div className="flex max-w-64 flex-wrap items-center gap-1">
      {apiKey.scopes.map((scope) => (
        <Badge key={scope} mono tone={scope === 'admin' ? 'accent' : 'neutral'}>
          {scope}
        </Badge>
      ))}
      {overrides.length > 0 && (
        <span className="flex" title={`Uses a specific provider key for ${overrides.join(', ')}`}>
          <Badge tone="info">
            {overrides.length} {overrides.length === 1 ? 'override' : 'overrides'}
          </Badge>
        </span>
      )}
      <AllowList entries={apiKey.allowed_models} one="model" what="May name only" />
      <AllowList entries={apiKey.allowed_addresses} one="address" what="May be used only from" />
    </div>
  )
}

interface AllowListProps {
  entries: readonly string[] | null
  one: string
  what: string
}

/** One entry is shown, several are counted. */
function AllowList({ entries, one, what }: AllowListProps) {
  if (entries === null) return null
  const [first = ''] = entries
  const many = one === 'address' ? 'addresses' : `${one}s`
  return (
    <span className="flex max-w-full" title={`${what} ${entries.join(', ')}`}>
      <Badge tone="info" mono={entries.length === 1}>
        <span className="max-w-48 truncate">
          {entries.length === 1 ? first : `${entries.length} ${many}`}
        </span>
      </Badge>
    </span>
  )
}

const statuses = { active: 'ok', expired: 'off', revoked: 'error' } as const
const names = { active: 'Active', expired: 'Expired', revoked: 'Revoked' }

function KeyStateText({ apiKey }: { apiKey: ApiKey }) {
  const now = Date.now()
  const state = stateOf(apiKey, now)
  const moment = state === 'revoked' ? apiKey.revoked_at : apiKey.expires_at
  return (
    <div className="text-sm">
      <StatusDot status={expiresSoon(apiKey, now) ? 'warning' : statuses[state]}>{names[state]}</StatusDot>
      {moment !== null && (
        <p className="pl-4 text-xs whitespace-nowrap text-ink-faint">
          {state === 'active' && 'expires '}
          <MomentText time={moment} />
        </p>
      )}
    </div>
  )
}
