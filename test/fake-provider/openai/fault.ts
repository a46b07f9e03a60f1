import type { RecordedRequest } from '../record.ts'
import type { ErrorSpec } from '../reply.ts'
import { Refused, jsonBody } from '../provider-api.ts'
import type { Outgoing } from '../provider-api.ts'

const kinds: Record<number, [type: string, code: string | null, message: string]> = {
  400: ['invalid_request_error', null, 'Invalid request'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  403: [
    'invalid_request_error',
    'unsupported_country_region_territory',
    'Country, region, or territory not supported',
  ],
  404: ['invalid_request_error', 'unknown_url', 'Invalid URL'],
  413: ['invalid_request_error', null, 'Request body is too large'],
  429: [
    'requests',
    'rate_limit_exceeded',
    'Rate limit reached for the model in organization org-fake on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 7s.',
  ],
  500: ['server_error', null, 'The server had an error while processing your request. Sorry about that!'],
  503: [
    'service_unavailable_error',
    'server_is_overloaded',
    'That model is currently overloaded with other requests. You can retry your request.',
  ],
}

export function openaiError(error: ErrorSpec, param: string | null = null) {
  const [type, code, message] = kinds[error.status] ?? kinds[500] ?? ['server_error', null, '']
  return {
    message: error.message ?? message,
    type: error.type ?? type,
    param,
    code: error.code ?? code,
  }
}

export function fault(error: ErrorSpec): Outgoing {
  const limited = error.status === 429
  const retryAfter = error.retryAfter ?? (limited ? 7 : undefined)
  const headers = {
    ...(retryAfter === undefined
      ? {}
      : { 'retry-after': String(retryAfter), 'retry-after-ms': String(retryAfter * 1000) }),
    ...(limited
      ? { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': `${retryAfter ?? 7}s` }
      : {}),
  }
  return jsonBody(error.status, { error: openaiError(error) }, headers, 2)
}

/** Refuses with OpenAI's envelope: 400 unless said otherwise. */
export function refuse(
  message: string,
  param: string | null = null,
  code: string | null = null,
  status = 400,
): never {
  const error = { message, type: 'invalid_request_error', param, code }
  throw new Refused(message, jsonBody(status, { error }, {}, 2))
}

/** The real one shows the first and last characters of a wrong key: a secret in an error body. */
export function authenticate(request: RecordedRequest): void {
  const header = request.headers.authorization ?? ''
  const key = header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  if (key === '') {
    refuse(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      null,
      null,
      401,
    )
  }
  if (!key.includes('bad')) return
  const masked = key.slice(0, 8) + '*'.repeat(Math.max(4, key.length - 12)) + key.slice(-4)
  refuse(
    `Incorrect API key provided: ${masked}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    null,
    'invalid_api_key',
    401,
  )
}
