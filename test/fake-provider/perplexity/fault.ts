import type { RecordedRequest } from '../record.ts'
import type { ErrorSpec } from '../reply.ts'
import { Refused, jsonBody } from '../provider-api.ts'
import type { Outgoing } from '../provider-api.ts'

const kinds: Record<number, [type: string, message: string]> = {
  400: ['bad_request', 'Bad request'],
  401: [
    'invalid_api_key',
    'Invalid API key provided. You can find your API key at https://www.perplexity.ai/settings/api.',
  ],
  403: ['forbidden', 'Forbidden'],
  404: ['not_found', 'Not found'],
  422: ['validation_error', 'Unprocessable entity'],
  429: ['rate_limit_exceeded', 'Request rate limit exceeded, please try again later.'],
  500: ['internal_server_error', 'Internal server error'],
  503: ['service_unavailable', 'Service unavailable'],
}

export function perplexityError(error: ErrorSpec) {
  const [type, message] = kinds[error.status] ?? ['internal_server_error', 'Internal server error']
  return { message: error.message ?? message, type: error.type ?? type, code: error.code ?? error.status }
}

export function fault(error: ErrorSpec): Outgoing {
  const retryAfter = error.retryAfter ?? (error.status === 429 ? 7 : undefined)
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return jsonBody(error.status, { error: perplexityError(error) }, headers)
}

export function refuse(message: string, status = 400, type?: string): never {
  throw new Refused(message, fault({ status, message, ...(type === undefined ? {} : { type }) }))
}

/** A body of the wrong shape is reported in another form than the rest. */
export function refuseShape(field: string, message: string): never {
  const detail = [{ type: 'value_error', loc: ['body', field], msg: message }]
  throw new Refused(`${field}: ${message}`, jsonBody(422, { detail }))
}

export function authenticate(request: RecordedRequest): void {
  const header = request.headers.authorization ?? ''
  if (!header.startsWith('Bearer ') || header.includes('bad')) {
    throw new Refused('Invalid API key', fault({ status: 401 }))
  }
}
