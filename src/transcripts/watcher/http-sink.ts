import { z } from 'zod'
import type { Secret } from '#kernel/log'
import type { Sink, SourceName } from '../segment.ts'
import { filePage, positionBody, positionFromWire, reportToWire, segmentToWire } from '../protocol.ts'
import { SegmentRefused, SinkUnavailable, WatcherRefused } from './errors.ts'

export interface HttpSinkOptions {
  /** The address of the server, without a path of its own. */
  url: string
  key: Secret
  version: string
  /** Ends calls that are under way. */
  signal: AbortSignal
}

const timeoutMs = 120_000

/** The archive of a server, over HTTP. */
export function createHttpSink({ url, key, version, signal }: HttpSinkOptions): Sink {
  const headers = {
    authorization: `Bearer ${key.reveal()}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': `signalbox-watch/${version}`,
  }

  async function call(method: string, path: string, body?: unknown): Promise<string> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${url}/api/transcripts${path}`, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      text = await response.text()
    } catch (error) {
      throw new SinkUnavailable(reasonOf(error), undefined, { cause: error })
    }
    if (response.ok) return text
    throw faultOf(response, text)
  }

  return {
    async position(source) {
      const text = await call('GET', `/ingest/position?${new URLSearchParams(fieldsOf(source)).toString()}`)
      const { position } = parse(z.object({ position: positionBody.nullable() }), text)
      return position && positionFromWire(position)
    },
    take: async (segment) =>
      positionFromWire(parse(positionBody, await call('POST', '/ingest', segmentToWire(segment)))),
    async files({ machine, assistant, root }, cursor) {
      const query = new URLSearchParams({ machine, assistant, root, ...(cursor === null ? {} : { cursor }) })
      const page = parse(filePage, await call('GET', `/ingest/files?${query.toString()}`))
      return { paths: page.data, next: page.next_cursor }
    },
    async missing(source) {
      await call('POST', '/ingest/missing', fieldsOf(source))
    },
    async report(status) {
      await call('PUT', '/watchers', reportToWire(status))
    },
  }
}

function fieldsOf({ machine, assistant, root, path }: SourceName): Record<string, string> {
  return { machine, assistant, root, path }
}

/** A proxy may respond in the server's place, with anything. */
function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new SinkUnavailable('the response is not one of Signalbox', undefined, { cause: error })
  }
}

function faultOf(response: Response, text: string): Error {
  const { status } = response
  const message = messageIn(text) ?? `HTTP ${status}`
  if (status === 401) return new WatcherRefused(`The server does not accept the key: ${message}`)
  if (status === 403) return new WatcherRefused(`The key may not send transcripts: ${message}`)
  if (status === 404) return new WatcherRefused(`No Signalbox with transcripts at this address: ${message}`)
  if (status >= 300 && status < 400)
    return new WatcherRefused(`The address redirects to ${response.headers.get('location') ?? 'another one'}`)
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(response.headers.get('retry-after'))
    return new SinkUnavailable(message, Number.isFinite(seconds) && seconds > 0 ? seconds : undefined)
  }
  return new SegmentRefused(message)
}

function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message.slice(0, 300) : undefined
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message : message
}
