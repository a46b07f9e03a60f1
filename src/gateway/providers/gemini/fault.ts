import type { Fault } from '#kernel/errors'
import { arrayOf, objectOf, parseJson, statedCount, stringOf } from '../../wire/json.ts'
import { upstreamFault } from '../../wire/fault.ts'
import type { UpstreamError } from '../../wire/fault.ts'
import type { ErrorResponse } from '../../provider.ts'

export function readFault(response: ErrorResponse): Fault {
  return upstreamFault('Gemini', response, readError(parseJson(response.body)))
}

/** An error inside a response with a success status. */
export function errorFault(holder: unknown): Fault {
  const error = readError(holder)
  const status = statedCount(errorIn(holder)['code']) ?? 500
  return upstreamFault('Gemini', { status, headers: {}, body: error.message }, error)
}

/** Some responses are an array with the error in it. */
function errorIn(body: unknown) {
  return objectOf(objectOf(Array.isArray(body) ? body[0] : body)['error'])
}

function readError(body: unknown): UpstreamError {
  const error = errorIn(body)
  let isBadKey = false
  let retryAfter: string | undefined
  let code: unknown
  for (const item of arrayOf(error['details'])) {
    const detail = objectOf(item)
    if (detail['reason'] === 'API_KEY_INVALID') isBadKey = true
    code ??= detail['reason']
    // Google has no header for this: "34s" or "34.07s" is in the details.
    const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(stringOf(detail['retryDelay']))?.[1]
    if (seconds !== undefined) retryAfter = String(Math.ceil(Number(seconds)))
  }
  const { status: type, details } = error
  return { message: stringOf(error['message']).trim(), isBadKey, retryAfter, type, code, details }
}
