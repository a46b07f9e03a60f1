import type { Limit } from '#limits/contract'
import { shortDollars } from '../../ui/money.ts'
import { durationText, shortCount } from '../../ui/quantity.ts'

export type SubjectType = Limit['subject']['type']
export type Metric = Limit['metric']
export type Window = NonNullable<Limit['window']>

export const subjectNames: Record<SubjectType, string> = {
  group: 'Whole group',
  api_key: 'API key',
  user: 'Person',
  model: 'Model',
  provider: 'Provider',
  tag: 'Tag',
}

export const metricNames: Record<Metric, string> = {
  cost: 'Cost',
  tokens: 'Tokens',
  requests: 'Requests',
  concurrent: 'At the same time',
}

export const windowNames: Record<Window, string> = {
  minute: 'a minute',
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in total',
}

/** `$10.00`, `1.2M`, `40`. */
export const numberText = (metric: Metric, amount: string | number): string =>
  metric === 'cost' ? shortDollars(String(amount)) : shortCount(Number(amount))

/** `$10.00`, `1.2M tokens`, `40 requests`. */
function amountText(metric: Metric, amount: string | number): string {
  const number = numberText(metric, amount)
  if (metric === 'cost') return number
  const what = metric === 'tokens' ? 'token' : 'request'
  return `${number} ${what}${Number(amount) === 1 ? '' : 's'}`
}

/** `$10.00 a day`, `5 requests at the same time`. */
export function limitText({ metric, amount, window }: Pick<Limit, 'metric' | 'amount' | 'window'>): string {
  return `${amountText(metric, amount)} ${oftenText({ metric, window })}`
}

export const oftenText = ({ metric, window }: Pick<Limit, 'metric' | 'window'>): string =>
  metric === 'concurrent' ? 'at the same time' : windowNames[window ?? 'total']

/** Shares of the amount, in percent, that fit side by side in a bar. */
export function shares({ used, reserved, amount }: Pick<Limit, 'used' | 'reserved' | 'amount'>): {
  used: number
  reserved: number
} {
  const whole = Number(amount)
  const part = (value: string | number) => (whole === 0 ? 100 : (Number(value) / whole) * 100)
  const usedPart = Math.min(100, part(used))
  return { used: usedPart, reserved: Math.min(100 - usedPart, part(reserved)) }
}

export type State = 'free' | 'near' | 'spent'

/** Reserved counts as used: the next request is measured against both. */
export function stateOf(limit: Pick<Limit, 'used' | 'reserved' | 'amount'>): State {
  const { used, reserved } = shares(limit)
  if (used + reserved >= 100) return 'spent'
  return used + reserved >= 80 ? 'near' : 'free'
}

/** `resets in 3 h 5 min`; nothing for what never does. */
export function resetText(resetsAt: string | null, now: number): string | undefined {
  if (resetsAt === null) return undefined
  return `resets in ${durationText(Math.max(1, Math.ceil((Date.parse(resetsAt) - now) / 1_000)) * 1_000)}`
}

const rank: Record<State, number> = { spent: 0, near: 1, free: 2 }

/** The one that is nearest to its end comes first. */
export function byUse(one: Limit, other: Limit): number {
  const filled = (limit: Limit) => shares(limit).used + shares(limit).reserved
  return rank[stateOf(one)] - rank[stateOf(other)] || filled(other) - filled(one)
}
