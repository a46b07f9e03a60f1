import type { IncomingHttpHeaders } from 'node:http'

/** They belong to the connection, or to the message that opened it. */
const ofConnection =
  /^(host|connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|expect|keep-alive|te|trailer|accept-encoding|cookie|forwarded|x-forwarded-.*|proxy-.*)$/

/** What a client sent when it connected counts for each of its requests: the key, and the session they belong to. */
export function clientHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name, value]) => !ofConnection.test(name) && typeof value === 'string',
  )
  return Object.fromEntries(kept) as Record<string, string>
}
