import type { ErrorSpec } from '../reply.ts'
import { Refused, jsonBody } from '../provider-api.ts'
import type { Outgoing } from '../provider-api.ts'

const kinds: Record<number, [type: string, message: string]> = {
  400: ['invalid_request_error', 'Invalid request'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not found'],
  408: ['timeout_error', 'Request timed out'],
  409: ['conflict_error', 'Conflict'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: [
    'rate_limit_error',
    'This request would exceed your organization’s rate limit of 50 requests per minute.',
  ],
  500: ['api_error', 'Internal server error'],
  503: ['api_error', 'Service unavailable'],
  504: ['timeout_error', 'Request timed out'],
  529: ['overloaded_error', 'Overloaded'],
}

export function anthropicError(error: ErrorSpec): { type: string; message: string } {
  const [type, message] = kinds[error.status] ?? ['api_error', 'Internal server error']
  return { type: error.type ?? type, message: error.message ?? message }
}

export function fault(error: ErrorSpec): Outgoing {
  const body = { type: 'error', error: anthropicError(error), request_id: 'req_011CfakeFakeFakeFakeFake' }
  const limited = error.status === 429
  const retryAfter = error.retryAfter ?? (limited ? 7 : undefined)
  return jsonBody(error.status, body, {
    'request-id': body.request_id,
    'x-should-retry': error.status === 429 || error.status >= 500 ? 'true' : 'false',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(limited ? { 'anthropic-ratelimit-requests-remaining': '0' } : {}),
  })
}

/** Refuses with 400 and a message that begins with the path of the field, as the real one does. */
export function refuse(message: string, status = 400, type?: string): never {
  throw new Refused(message, fault({ status, message, ...(type === undefined ? {} : { type }) }))
}
