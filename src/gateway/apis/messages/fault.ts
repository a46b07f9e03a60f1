import type { Fault } from '#kernel/errors'

/** The error types of the Messages API; its clients retry by status and show the type. */
const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

export function faultBody({ status, message }: Fault, requestId: string) {
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message }, request_id: requestId }
}

export function faultEvent(fault: Fault, requestId: string): string {
  return `event: error\ndata: ${JSON.stringify(faultBody(fault, requestId))}\n\n`
}
