import { mask } from '#kernel/mask'
import { Fault, faults, type UpstreamFields } from '#kernel/errors'
import type { ErrorResponse } from '../provider.ts'
import { limitHeader, upstreamIdHeader, upstreamIdOf } from '../transport/receive.ts'
import { isAbsent, parseJson } from './json.ts'

/** What an upstream says about an error. */
export interface UpstreamError {
  readonly message: string
  readonly param?: string | null
  /** The provider says that the key is bad although the status does not. */
  readonly isBadKey?: boolean
  /** Seconds, where the provider gives them outside the headers. */
  readonly retryAfter?: string | undefined
  /** The provider's own words for the kind of error, and whatever else it adds; undefined where it gave none. */
  readonly type?: unknown
  readonly code?: unknown
  readonly details?: unknown
}

const maxMessageLength = 2_000

/** The fault for an upstream error: the same rules for every provider. */
export function upstreamFault(name: string, response: ErrorResponse, error: UpstreamError): Fault {
  const { status } = response
  if (status === 401 || status === 403 || error.isBadKey) {
    // The provider's own words may quote a part of the key: they go nowhere, not even to the log.
    return new Fault(faults.provider, `${name} refused the stored provider key (status ${status}).`, {
      headers: noRetry,
      upstream: upstreamFields(status, { ...error, param: null, details: null }),
    })
  }
  const text = withoutSecrets(error.message).slice(0, maxMessageLength)
  const message = text === '' ? `${name} returned status ${status}.` : text
  const more = {
    headers: waitHeaders(response, error),
    upstream: upstreamFields(status, error),
    ...(text === '' && { internal: withoutSecrets(response.body).slice(0, 500) }),
  }
  if (status === 429) return new Fault(faults.rateLimit, message, more)
  const forCaller = callerStatus(status)
  const param = forCaller < 500 ? (error.param ?? null) : null
  return new Fault(faults.provider, message, { ...more, status: forCaller, param })
}

/** Clients of the providers read this header: a retry would only fail again. */
const noRetry = { 'x-should-retry': 'false' }

/** Not a limit that passes: somebody has to pay first. */
const lastingCodes = new Set(['insufficient_quota', 'credit_balance_exhausted', 'billing_hard_limit_reached'])

const maxDetailLength = 8_192

function upstreamFields(status: number, error: UpstreamError): UpstreamFields | undefined {
  const { type, code, param, details } = error
  if ([type, code, param, details].every(isAbsent)) return undefined
  return {
    status,
    type: wordOf(type),
    code: wordOf(code),
    param: typeof param === 'string' ? withoutSecrets(param).slice(0, 256) : null,
    details: detailsOf(details),
  }
}

/** A name for programs, never a text. */
function wordOf(value: unknown): string | null {
  const word = typeof value === 'number' ? String(value) : value
  return typeof word === 'string' && /^[\w.:-]{1,100}$/.test(word) ? withoutSecrets(word) : null
}

function detailsOf(details: unknown): unknown {
  if (isAbsent(details)) return null
  const json = JSON.stringify(details)
  return json.length > maxDetailLength ? null : (parseJson(withoutSecrets(json)) ?? null)
}

/** The provider broke its own protocol. */
export function brokenFault(name: string, what: string, internal?: string): Fault {
  return new Fault(faults.provider, `${name} ${what}.`, internal === undefined ? {} : { internal })
}

function callerStatus(status: number): number {
  if (status === 503 || status === 529) return 503
  // 499 means "cancelled" upstream; towards our caller it would mean that the client disconnected.
  if (status >= 400 && status < 500 && status !== 499) return status
  return 502
}

function waitHeaders(response: ErrorResponse, error: UpstreamError): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    const lower = name.toLowerCase()
    if (value === undefined || !limitHeader.test(lower)) continue
    headers[lower] = Array.isArray(value) ? value.join(', ') : value
  }
  const id = upstreamIdOf(response.headers)
  if (id !== null) headers[upstreamIdHeader] = id
  if (error.retryAfter !== undefined) headers['retry-after'] ??= error.retryAfter
  if (lastingCodes.has(String(error.code))) Object.assign(headers, noRetry)
  return headers
}

/** Upstreams repeat what they were sent: addresses and keys must not come back in a message or a log. */
export function withoutSecrets(text: string): string {
  const open = text
    .slice(0, 10_000)
    .replaceAll(/https?:\/\/[^\s"'<>]+/g, (address) => address.split('?', 1)[0] ?? '')
    .replaceAll(/([?&]|\b)(key|api_key|x-api-key)=[^\s&"'<>]+/gi, '$1$2=[key]')
    .replaceAll(/\b(?:AIza|AQ\.)[\w.-]+|\b(?:sk|pplx|gsk|xai)-[\w*-]{6,}|\bBearer\s+\S+/g, '[key]')
  return mask(open)
}
