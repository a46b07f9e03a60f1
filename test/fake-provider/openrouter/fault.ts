import type { RecordedRequest } from '../record.ts'
import type { ErrorSpec } from '../reply.ts'
import { Refused, jsonBody } from '../provider-api.ts'
import type { Outgoing } from '../provider-api.ts'

const kinds: Record<number, [type: string, message: string]> = {
  400: ['invalid_request', 'Invalid request'],
  401: ['authentication', 'User not found.'],
  402: ['payment_required', 'Insufficient credits. Add more using https://openrouter.ai/settings/credits'],
  403: ['content_policy_violation', 'Input was flagged by moderation'],
  404: ['not_found', 'No endpoints found for this model.'],
  408: ['timeout', 'Request timed out'],
  413: ['payload_too_large', 'Payload too large'],
  429: ['rate_limit_exceeded', 'Rate limit exceeded'],
  500: ['server_error', 'Internal Server Error'],
  502: ['provider_unavailable', 'Provider returned error'],
  503: ['provider_unavailable', 'No available model provider that meets your routing requirements'],
  529: ['provider_overloaded', 'Provider is overloaded'],
}

/** The code is the HTTP status, as a number. */
export function openrouterError(error: ErrorSpec) {
  const [type, message] = kinds[error.status] ?? ['server_error', 'Internal Server Error']
  return {
    message: error.message ?? message,
    code: error.status,
    metadata: { error_type: error.type ?? type, provider_code: error.code ?? null },
  }
}

export function fault(error: ErrorSpec): Outgoing {
  const limited = error.status === 429
  const retryAfter = error.retryAfter ?? (limited ? 7 : undefined)
  const headers = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(limited
      ? { 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795000000000' }
      : {}),
  }
  return jsonBody(error.status, { error: openrouterError(error), user_id: 'user_fake' }, headers)
}

export function refuse(message: string, status = 400): never {
  throw new Refused(message, fault({ status, message }))
}

export function authenticate(request: RecordedRequest): void {
  // The list of models is open to everyone.
  if (request.endpoint === 'models') return
  const header = request.headers.authorization ?? ''
  if (!header.startsWith('Bearer ')) refuse('No cookie auth credentials found', 401)
  if (header.includes('bad')) refuse('User not found.', 401)
}
