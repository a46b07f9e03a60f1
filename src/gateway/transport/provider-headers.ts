import type { IncomingHttpHeaders } from 'node:http'
import type { KeyMask } from '#kernel/log'

/** Headers by which a provider tells its clients when to call again. */
export const limitHeader = /^(retry-after|retry-after-ms|x-should-retry|([a-z]+-)?ratelimit(-.+)?)$/

/** Under this name clients get the provider's own id of the request: the usual names are those of our own. */
export const upstreamIdHeader = 'x-upstream-request-id'

/** What clients read of the headers of a good response. */
export function providerHeaders(headers: IncomingHttpHeaders, mask: KeyMask): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (typeof value === 'string' && limitHeader.test(name)) kept[name] = masked(value, mask)
  }
  const id = upstreamIdOf(headers, mask)
  if (id !== null) kept[upstreamIdHeader] = id
  return kept
}

/** No encoding of a key fits into less, and most values are numbers. */
const shortestQuote = 12

const masked = (value: string, mask: KeyMask): string =>
  value.length < shortestQuote ? value : mask.text(value)

export function upstreamIdOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  /** Not needed for errors, which are masked as a whole. */
  mask?: KeyMask,
): string | null {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-goog-request-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) ? (mask ? masked(id, mask) : id) : null
}
