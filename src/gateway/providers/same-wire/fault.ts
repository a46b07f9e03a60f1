import { Fault, faults } from '#kernel/errors'
import type { ErrorAnswer } from '../provider.ts'
import { isObject, listOf, objectOf, parseJson, textOf } from './json.ts'

/** What an upstream says about an error, whatever the form of its body. */
export interface UpstreamError {
  readonly message: string
  readonly param: string | null
  /** A status inside the body; the only one there is when the answer itself was a 200. */
  readonly status: number | null
}

const passedHeaders = /^(retry-after|retry-after-ms|x-should-retry|x-ratelimit-.+|ratelimit(-.+)?)$/
const credential = /\b(?:sk|pplx|gsk|xai)-[\w*-]{6,}|\bBearer\s+\S+/g
/** Words that some upstreams use where others give a number. */
const statusOfCode: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_is_overloaded: 503,
  slow_down: 503,
}
const longestMessage = 2_000

/** The fault for an answer with an error status. */
export function upstreamFault(
  name: string,
  answer: ErrorAnswer,
  error = readError(parseJson(answer.body)),
): Fault {
  return faultFor(name, answer.status, error, passThrough(answer.headers), answer.body.slice(0, 500))
}

/** The fault for an error told inside an answer that began as a success. */
export function reportedFault(name: string, value: unknown, error = readError(value)): Fault {
  return faultFor(name, error.status ?? 502, error, {}, undefined)
}

export function brokenFault(name: string, what: string, internal?: string): Fault {
  return new Fault(faults.provider, `${name} ${what}`, internal === undefined ? {} : { internal })
}

function faultFor(
  name: string,
  status: number,
  error: UpstreamError,
  headers: Record<string, string>,
  body: string | undefined,
): Fault {
  // Such a message can hold parts of the key; it goes nowhere, not even to the log.
  if (status === 401 || status === 403) {
    return new Fault(faults.provider, `The stored provider key was refused by ${name} (status ${status}).`)
  }
  const message = error.message === '' ? `${name} answered with status ${status}.` : error.message
  const internal = error.message === '' && body !== undefined ? { internal: withoutCredentials(body) } : {}
  if (status === 429) return new Fault(faults.rateLimit, message, { headers, ...internal })
  if (status === 503 || status === 529)
    return new Fault(faults.provider, message, { status: 503, headers, ...internal })
  const refused = status >= 400 && status < 500
  return new Fault(faults.provider, message, {
    ...(refused ? { status, param: error.param } : {}),
    ...internal,
  })
}

/** Reads `{error: {…}}`, `{error: "…"}`, `{detail: "…" | [{msg}]}`, `{message}`, and the first of a list of them. */
export function readError(value: unknown): UpstreamError {
  const body = objectOf(Array.isArray(value) ? value[0] : value)
  const error = isObject(body['error']) ? body['error'] : body
  const detail = listOf(body['detail']).map((each) => textOf(objectOf(each)['msg']))
  const message =
    textOf(error['message']) ||
    textOf(body['error']) ||
    textOf(body['detail']) ||
    detail.filter(Boolean).join('; ')
  const status = [error['code'], error['status'], error['status_code']]
    .map((code) => statusOfCode[textOf(code)] ?? Number(code))
    .find((code) => code >= 400 && code < 600)
  return {
    message: withoutCredentials(message).slice(0, longestMessage),
    param: typeof error['param'] === 'string' ? error['param'] : null,
    status: status ?? null,
  }
}

function passThrough(headers: ErrorAnswer['headers']): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && passedHeaders.test(name.toLowerCase()))
      passed[name.toLowerCase()] = value
  }
  return passed
}

/** Upstreams repeat what they were sent; a key must not come back in a message or a log. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(credential, '[key]')
}
