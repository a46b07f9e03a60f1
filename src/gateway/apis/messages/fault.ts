import { Fault, faults } from '#kernel/errors'
import { isObject } from '../../wire/json.ts'

/** The error types of the Messages API; its clients retry by status and show the type. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export function faultBody(fault: Fault, requestId: string) {
  const { message, limit } = fault
  const details = fault.details ?? fault.upstream?.details
  const error = {
    type: typeOf(fault),
    message,
    ...(isObject(details) && { details }),
    ...(limit && { limit }),
  }
  return { type: 'error', error, request_id: requestId }
}

/** A provider that is overloaded has a status of its own here. */
export function faultStatus({ status, code }: Fault): number {
  return status === 503 && code === faults.provider.code ? 529 : status
}

export function faultEvent(fault: Fault, requestId: string): string {
  return `event: error\ndata: ${JSON.stringify(faultBody(fault, requestId))}\n\n`
}

/** Clients of this API send the whole conversation again when they read this code. */
export const threadUnsupported = (): Fault =>
  new Fault(
    faults.invalidRequest,
    'thread continues a conversation that only its provider keeps: this model needs all messages.',
    { param: 'thread', details: { error_code: 'thread_unsupported_request' } },
  )

const known = new Set([...Object.values(types), 'invalid_request_error', 'api_error'])

/** The provider's own type, where it is one of this API and the status is still the provider's. */
function typeOf({ status, upstream }: Fault): string {
  const own = upstream?.status === status ? (upstream.type ?? '') : ''
  if (known.has(own)) return own
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
