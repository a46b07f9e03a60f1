import { Ban, EllipsisVertical, Pencil, RotateCw } from 'lucide-react'
import type { ApiKey, Member } from '#access/contract'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { timeValue } from '../../ui/sorting.ts'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { KeyStateText } from './key-state-text.tsx'

interface KeysTableProps {
  keys: ApiKey[]
  members: readonly Member[]
  onEdit: (key: ApiKey) => void
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export function KeysTable({ keys, members, onEdit, onRotate, onRevoke }: KeysTableProps) {
  const creator = (key: ApiKey) => members.find((member) => member.user_id === key.created_by)?.name
  return (
    <Table
      label="Keys"
      columns={['Key', 'Status', 'Scopes', 'Last used', 'Created', 'Actions']}
      rows={keys}
      sortBy={{
        Key: ({ name }) => name,
        'Last used': ({ last_used_at }) => timeValue(last_used_at),
        Created: ({ created_at }) => timeValue(created_at),
      }}
    >
      {(key) => (
        <Row key={key.id}>
          <Cell part="lead">
            <div className="min-w-0">
              <p className="max-w-80 font-medium">{key.name}</p>
              <p className="font-mono text-xs text-ink-faint">
                {key.key_prefix}…{key.key_suffix}
              </p>
              {key.previous_valid_until !== null && (
                <p className="text-xs text-ink-faint">
                  The old value ends <MomentText time={key.previous_valid_until} />
                </p>
              )}
            </div>
          </Cell>
          <Cell label="Status">
            <KeyStateText apiKey={key} />
          </Cell>
          <Cell label="Scopes">
            <Scopes apiKey={key} />
          </Cell>
          <Cell label="Last used" className="text-sm text-ink-soft">
            {key.last_used_at === null ? 'never' : <MomentText time={key.last_used_at} />}
          </Cell>
          <Cell label="Created" className="text-sm text-ink-soft">
            <span>
              <MomentText time={key.created_at} />
              {creator(key) !== undefined && (
                <span className="block text-xs text-ink-faint">{creator(key)}</span>
              )}
            </span>
          </Cell>
          <Cell part="actions">
            {key.revoked_at === null && (
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
            )}
          </Cell>
        </Row>
      )}
    </Table>
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
    </div>
  )
}
