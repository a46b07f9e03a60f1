import { faults, type Fault } from '#kernel/errors'

/**
 * Who may do better after a failed call: another `key` of the provider, another `target`, or the same in a `moment`.
 * `nobody`: the request itself is at fault, or it has ended.
 */
export type Hope = 'key' | 'target' | 'moment' | 'nobody'

/** What a failed call says about the next one. */
export interface Failure {
  readonly fault: Fault
  /** Null when no response came. */
  readonly status: number | null
  readonly hope: Hope
  /** For the trail of the request. */
  readonly code: string
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs: number | null
}

/** `status` is that of the provider's response, where one came. */
export function failureOf(fault: Fault, status: number | null): Failure {
  const hope = hopeOf(fault, status)
  const isRefused = hope === 'key' && statusOf(fault, status) !== 429
  const code = isRefused
    ? 'key_refused'
    : status === null && fault.status === 502
      ? 'no_response'
      : fault.code
  return { fault, status, hope, code, retryAfterMs: retryAfterMs(fault.headers) }
}

/** Whether the failure tells against the provider's service, and not against a key, a name or the request. */
export function isOutage(failure: Failure): boolean {
  return (failure.hope === 'target' || failure.hope === 'moment') && !isGone(failure)
}

/** The provider no longer has the model. */
function isGone({ fault, status, hope }: Failure): boolean {
  return hope === 'target' && [404, 410].includes(statusOf(fault, status))
}

/** The same call would fail again, however long one waits: the key was refused, or the model is gone. */
export function isLasting(failure: Failure): boolean {
  return failure.code === 'key_refused' || isGone(failure)
}

/** An error may also come inside a response that began well. */
function statusOf(fault: Fault, status: number | null): number {
  return status !== null && status >= 300 ? status : (fault.upstream?.status ?? fault.status)
}

function hopeOf(fault: Fault, given: number | null): Hope {
  const status = statusOf(fault, given)
  // Of this server: it is stopping.
  if (fault.code === faults.unavailable.code) return 'nobody'
  if (isBadKey(fault, status)) return 'key'
  switch (status) {
    case 401:
    case 402:
    case 403:
    case 429:
      return 'key'
    // A model that the provider no longer has.
    case 404:
    case 410:
    case 503:
    case 504:
    case 529:
      return 'target'
    case 408:
    case 500:
    case 502:
      return isFinal(fault) ? 'target' : 'moment'
    default:
      if (status >= 300 && status < 400) return 'target'
      return status >= 500 ? 'target' : 'nobody'
  }
}

const isFinal = ({ headers }: Fault): boolean => headers['x-should-retry'] === 'false'

/** Some providers refuse a key with a status that means a bad request; it reaches the client as a 502. */
function isBadKey(fault: Fault, status: number): boolean {
  return status >= 400 && status < 500 && fault.status === 502 && isFinal(fault)
}

function retryAfterMs(headers: Fault['headers']): number | null {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (ms >= 0) return ms
  const text = headers['retry-after']
  if (text === undefined || text === '') return null
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return seconds >= 0 ? seconds * 1_000 : null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

const firstWaitMs = 200
const longestWaitMs = 5_000

/** Doubled with every round and spread, so that clients who failed together do not come back together. */
export function backoffMs(round: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** round) * (0.5 + Math.random())
}
