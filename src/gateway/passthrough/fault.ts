import type { Fault } from '#kernel/errors'
import { upstreamFault, type UpstreamError } from '../wire/fault.ts'
import type { ErrorResponse } from '../provider.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf } from '../wire/json.ts'

export interface ReadError extends UpstreamError {
  /** A status inside the body; the only one there is when the response itself was a 200. */
  readonly status: number | null
}

/** Words that some upstreams use where others give a number. */
const statusOfCode: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_is_overloaded: 503,
  slow_down: 503,
}

/** The fault for a response with an error status. */
export function responseFault(
  name: string,
  response: ErrorResponse,
  error = readError(parseJson(response.body)),
): Fault {
  return upstreamFault(name, response, error)
}

/** The fault for an error reported inside a response that began as a success. */
export function reportedFault(name: string, value: unknown, error = readError(value)): Fault {
  return upstreamFault(name, { status: error.status ?? 502, headers: {}, body: '' }, error)
}

/** Reads `{error: {…}}`, `{error: "…"}`, `{detail: "…" | [{msg}]}`, `{message}`, and the first of an array of them. */
export function readError(value: unknown): ReadError {
  const body = objectOf(Array.isArray(value) ? value[0] : value)
  const error = isObject(body['error']) ? body['error'] : body
  const detail = arrayOf(body['detail']).map((each) => stringOf(objectOf(each)['msg']))
  const message =
    stringOf(error['message']) ||
    stringOf(body['error']) ||
    stringOf(body['detail']) ||
    detail.filter(Boolean).join('; ')
  const status = [error['code'], error['status'], error['status_code']]
    .map((code) => statusOfCode[stringOf(code)] ?? Number(code))
    .find((code) => code >= 400 && code < 600)
  return {
    message,
    param: typeof error['param'] === 'string' ? error['param'] : null,
    status: status ?? null,
    type: error['type'],
    code: error['code'],
    details: error['details'] ?? error['metadata'] ?? (detail.length > 0 ? body['detail'] : undefined),
  }
}
