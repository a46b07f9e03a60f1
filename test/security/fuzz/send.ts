import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { RawRequest } from './cases.ts'

export interface RawReply {
  status: number
  type: string
  body: string
  milliseconds: number
  retryAfter: string | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const timeoutMs = 20_000

/** Sends what `fetch` would refuse or repair. */
export async function sendRaw(base: string, raw: RawRequest): Promise<RawReply> {
  const started = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Bodies are written byte for byte, so that some are not UTF-8.
    const body =
      raw.body === undefined ? undefined : Buffer.from(raw.body, isBytes(raw.body) ? 'latin1' : 'utf8')
    const sent = request(
      `${base}/`,
      {
        agent,
        method: raw.method,
        path: raw.url,
        headers: { ...raw.headers, ...(body && { 'content-length': body.length }) },
        signal: AbortSignal.timeout(timeoutMs),
      },
      resolve,
    )
    sent.once('error', reject)
    sent.end(body)
  })
  const type = response.headers['content-type'] ?? ''
  const isStream = type.startsWith('text/event-stream')
  if (isStream) response.destroy()
  const body = isStream ? '' : await text(response)
  const milliseconds = performance.now() - started
  const retryAfter = response.headers['retry-after']
  return { status: response.statusCode ?? 0, type, body, milliseconds, retryAfter }
}

const isBytes = (body: string): boolean => /^[\0-\u00ff]*$/.test(body)
