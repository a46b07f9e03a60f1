import type { UsageLog } from '#usage/contract'
import type { Aspect } from '../../ui/lamp.tsx'
import { countText } from '../../ui/quantity.ts'

/** A client that went away is no failure of the request: the lamp warns, it does not stop. */
export function aspectOf(status: number): Aspect {
  if (status === 499) return 'caution'
  return status < 400 ? 'clear' : 'danger'
}

const statusNames: Record<number, string> = {
  400: 'bad request',
  401: 'key refused',
  403: 'forbidden',
  404: 'not found',
  413: 'too large',
  429: 'rate limit',
  499: 'client left',
  500: 'failed',
  502: 'provider failed',
  503: 'unavailable',
  504: 'timed out',
}

export const statusName = (status: number): string =>
  statusNames[status] ?? (status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed')

/** What we counted ourselves is marked as such wherever it is shown. */
export const about = ({ usage_source }: Pick<UsageLog, 'usage_source'>): string =>
  usage_source === 'estimated' ? '≈ ' : ''

export const sourceWords = {
  provider: 'as the provider counted them',
  estimated: 'counted by us: the provider sent no count',
  none: 'the provider sent no count',
}

/** It failed before anything was produced: there is nothing to price. */
export const cameToNothing = (row: UsageLog): boolean => row.status_code >= 400 && row.total_tokens === 0

export const hasTokens = (row: UsageLog): boolean => row.total_tokens > 0

/** `1,204 → 350`. */
export const tokensText = (row: UsageLog): string =>
  `${about(row)}${countText(row.prompt_tokens)} → ${countText(row.completion_tokens)}`

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const whole = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
})

export const clockText = (time: string): string => clock.format(new Date(time))
export const shortDayText = (time: string): string => shortDay.format(new Date(time))
/** The reader's time to the millisecond. */
export const wholeTime = (time: string): string =>
  `${whole.format(new Date(time))}.${time.slice(20, 23).padEnd(3, '0')}`
