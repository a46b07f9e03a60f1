import type { ApiKey } from '#access/contract'
import { Badge } from '../../ui/badge.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { expiresSoon, stateOf } from './key-list.ts'

export function Scopes({ apiKey }: { apiKey: ApiKey }) {
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

export function KeyStateText({ apiKey }: { apiKey: ApiKey }) {
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
