import { Fault, faults, messageOf, type UpstreamFields } from '#kernel/errors'
import type { KeyMask } from '#kernel/log'

/** The usage log keeps status 499 for a client that did not wait; nobody is left to read it. */
export const clientDisconnected = (): Fault =>
  new Fault({ ...faults.provider, status: 499 }, 'The client disconnected.')

export const stoppingMessage =
  'The server is stopping and could not wait for the rest of the response. Try again.'

export const serverStopping = (): Fault =>
  new Fault(faults.unavailable, stoppingMessage, { headers: { 'retry-after': '5' } })

const noRetry = { headers: { 'x-should-retry': 'false' } }

export const privateAddress = (): Fault =>
  new Fault(
    faults.provider,
    'The provider is in a private network. An owner must allow private networks for the provider, and the operator must set UPSTREAM_PRIVATE=1.',
    noRetry,
  )

export const tooLarge = (): Fault =>
  new Fault(faults.provider, "The provider's response is larger than 64 MiB.")

export const damaged = (cause: unknown): Fault =>
  new Fault(faults.provider, "The provider's response is damaged.", { cause })

export const compressedStream = (): Fault =>
  new Fault(faults.provider, 'The provider compressed its stream, which was not requested.')

export const endlessStream = (): Fault =>
  new Fault(faults.provider, "The provider's stream is larger than 256 MiB.")

export const requestLate = (): Fault =>
  new Fault(faults.providerTimeout, "The provider did not respond within the request's time limit.")

export const firstByteLate = (): Fault =>
  new Fault(faults.providerTimeout, 'The provider did not begin its response in time.')

const timeouts: Record<string, string> = {
  UND_ERR_HEADERS_TIMEOUT:
    'The provider did not respond in time. Stream long requests, or raise REQUEST_TIMEOUT_MS.',
  UND_ERR_BODY_TIMEOUT: 'The provider stopped sending in the middle of its response.',
  UND_ERR_CONNECT_TIMEOUT: 'The provider could not be reached in time.',
}

/** What a failed connection means to the client. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { code = '', cause } = error as { code?: string; cause?: unknown }
  if (cause instanceof Fault) return cause
  const late = timeouts[code]
  if (late) return new Fault(faults.providerTimeout, late)
  const reason = code === '' ? 'broken off' : code
  return new Fault(faults.provider, `The connection to the provider failed (${reason}).`, {
    internal: messageOf(error),
    cause: error,
  })
}

/** A redirect is never followed: the key would go to another address. */
export function redirectFault(status: number): Fault | undefined {
  if (status < 300 || status >= 400) return undefined
  return new Fault(
    faults.provider,
    'The provider responded with a redirect, which is not followed. Check its base URL.',
    noRetry,
  )
}

/** The same fault without the key, which a provider may have quoted anywhere in its error. */
export function withoutKey(fault: Fault, mask: KeyMask): Fault {
  const { status, code, internal, param } = fault
  const message = mask.text(fault.message)
  const cause = causeWithoutKey(fault.cause, mask)
  const headers = headersWithoutKey(fault.headers, mask)
  const upstream = upstreamWithoutKey(fault.upstream, mask)
  const { details, limit } = fault
  const more = {
    status,
    code,
    headers,
    cause,
    upstream,
    details,
    limit,
    param: param === null ? null : mask.text(param),
    ...(internal !== undefined && { internal: mask.text(internal) }),
  }
  const isClean =
    message === fault.message &&
    cause === fault.cause &&
    upstream === fault.upstream &&
    more.param === param &&
    more.internal === internal &&
    Object.entries(headers).every(([name, value]) => fault.headers[name] === value)
  return isClean ? fault : new Fault(fault, message, more)
}

function upstreamWithoutKey(fields: UpstreamFields | undefined, mask: KeyMask): UpstreamFields | undefined {
  if (!fields) return undefined
  const json = JSON.stringify(fields)
  const clean = mask.text(json)
  if (clean === json) return fields
  try {
    return JSON.parse(clean) as UpstreamFields
  } catch {
    return undefined
  }
}

export function headersWithoutKey<T>(headers: Readonly<Record<string, T>>, mask: KeyMask): Record<string, T> {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return mask.text(value)
    return Array.isArray(value) ? value.map(clean) : value
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [mask.text(name), clean(value) as T]),
  )
}

/** The log prints causes with their stacks, and a parser's error quotes what it could not read. */
function causeWithoutKey(cause: unknown, mask: KeyMask): unknown {
  if (typeof cause === 'string') return mask.text(cause)
  if (!(cause instanceof Error)) return undefined
  const message = mask.text(cause.message)
  const stack = mask.text(cause.stack ?? '')
  const inner = causeWithoutKey(cause.cause, mask)
  if (message === cause.message && stack === (cause.stack ?? '') && inner === cause.cause) return cause
  return Object.assign(new Error(message, { cause: inner }), { name: cause.name, stack })
}
