import type { ApiKey } from '#access/contract'
import { StatusDot } from '../../ui/status-dot.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { expiresSoon, stateOf } from './key-list.ts'

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
