import { Fault, faults } from '#kernel/errors'
import type { ErrorAnswer } from '../provider.ts'

export interface UpstreamError {
  message: string
  /** The provider says that the key is bad although the status does not. */
  isBadKey?: boolean
  /** Seconds, where the provider tells them outside the headers. */
  retryAfter?: string | undefined
}

const longestMessage = 2000

/** What the caller is told about an upstream error: the same table for every provider. */
export function upstreamFault(provider: string, answer: ErrorAnswer, error: UpstreamError): Fault {
  const { status } = answer
  if (status === 401 || status === 403 || error.isBadKey) {
    // The provider's own words may quote a part of the key: they go nowhere, not even to the log.
    return new Fault(
      faults.provider,
      `The stored provider key was refused by ${provider} (status ${status}).`,
    )
  }
  const said = withoutSecrets(error.message).slice(0, longestMessage)
  const message = said === '' ? `${provider} answered with status ${status}.` : said
  const internal = `${provider} answered ${status}: ${withoutSecrets(answer.body).slice(0, 500)}`
  const headers = waitHeaders(answer, error)
  if (status === 429) return new Fault(faults.rateLimit, message, { headers, internal })
  return new Fault(faults.provider, message, { status: callerStatus(status), headers, internal })
}

function callerStatus(status: number): number {
  if (status === 503 || status === 529) return 503
  // 499 means "cancelled" upstream; towards our caller it would say that the caller left.
  if (status >= 400 && status < 500 && status !== 499) return status
  return 502
}

function waitHeaders(answer: ErrorAnswer, error: UpstreamError): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    const lower = name.toLowerCase()
    if (value === undefined || !/^retry-after(-ms)?$|^(x|anthropic)-ratelimit-/.test(lower)) continue
    headers[lower] = Array.isArray(value) ? value.join(', ') : value
  }
  if (error.retryAfter !== undefined && headers['retry-after'] === undefined) {
    headers['retry-after'] = error.retryAfter
  }
  return headers
}

/** Providers quote addresses and keys in their messages. */
export function withoutSecrets(text: string): string {
  return text
    .slice(0, 10_000)
    .replaceAll(/(https?:\/\/[^\s?"'<>]{1,2000})\?[^\s"'<>]*/g, '$1')
    .replaceAll(/([?&]|\b)(key|api_key|x-api-key)=[^\s&"'<>]+/gi, '$1$2=[removed]')
    .replaceAll(/\b(sk-ant-|AIza|AQ\.)[\w.-]+/g, '[removed]')
}

/** The provider broke its own protocol. */
export function brokenAnswer(provider: string, what: string): Fault {
  return new Fault(faults.provider, `${provider} ${what}.`)
}
