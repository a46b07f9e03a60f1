import type { Fault } from '#kernel/errors'
import type { ErrorResponse } from '../../provider.ts'
import { isObject, objectOf, parseJson, stringOf } from '../../wire/json.ts'
import { upstreamFault } from '../../wire/fault.ts'

export function readFault(response: ErrorResponse): Fault {
  const body = parseJson(response.body)
  const error = objectOf(isObject(body) ? body['error'] : undefined)
  const { type, details } = error
  return upstreamFault('Anthropic', response, { message: stringOf(error['message']), type, details })
}

const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  timeout_error: 504,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
}

/** An error inside a response with a success status: only its type shows what happened. */
export function errorFault(holder: unknown): Fault {
  const error = objectOf(objectOf(holder)['error'])
  const type = stringOf(error['type'])
  const status = Object.hasOwn(statuses, type) ? (statuses[type] ?? 500) : 500
  const message = stringOf(error['message']) || type
  const { details } = error
  return upstreamFault('Anthropic', { status, headers: {}, body: message }, { message, type, details })
}
