import type { UsageLog } from '#usage/contract'
import type { Status } from '../../ui/status-dot.tsx'
import { countText } from '../../ui/quantity.ts'

/** A client that disconnected is not a failure of the request, so it is only a warning. */
export function statusDotOf(status: number): Status {
  if (status === 499) return 'warning'
  return status < 400 ? 'ok' : 'error'
}

const statusNames: Record<number, string> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  413: 'too large',
  429: 'rate limited',
  499: 'client disconnected',
  500: 'internal error',
  502: 'provider error',
  503: 'unavailable',
  504: 'timed out',
}

export const statusName = (status: number): string =>
  statusNames[status] ?? (status < 400 ? 'ok' : status < 500 ? 'rejected' : 'failed')

/** Marks token counts that Signalbox estimated. */
export const about = ({ usage_source }: Pick<UsageLog, 'usage_source'>): string =>
  usage_source === 'estimated' ? '≈ ' : ''

export const sourceWords = {
  provider: 'reported by the provider',
  estimated: 'estimated: the provider reported no count',
  none: 'not reported by the provider',
}

/** The request failed before anything was produced, so there is nothing to price. */
export const cameToNothing = (row: UsageLog): boolean => row.status_code >= 400 && row.total_tokens === 0

/** A limit of the group refused it: its provider was known, and no key was used. */
export const isOverLimit = ({ status_code, provider, provider_key_id }: UsageLog): boolean =>
  status_code === 429 && provider !== null && provider_key_id === null

export const hasTokens = (row: UsageLog): boolean => row.total_tokens > 0

/** `1,204 → 350`. */
export const tokensText = (row: UsageLog): string =>
  `${about(row)}${countText(row.prompt_tokens)} → ${countText(row.completion_tokens)}`
