import { StartFault } from '#kernel/errors'

export interface CallOptions {
  json?: unknown
  method?: string
  headers?: Record<string, string>
  /** Statuses above 299 that are part of a story, such as a request that fails. */
  expect?: readonly number[]
}

/** A call of the public API; the parsed response. */
export type Call = <T = unknown>(path: string, options?: CallOptions) => Promise<T>

/** The pieces of a stream of server-sent events, until the reader has enough. */
export type Stream = (path: string) => AsyncIterable<string>

export interface Caller {
  call: Call
  stream: Stream
}

/** The message of an error of the API, or what there is in its place. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message
  } catch {
    return text.slice(0, 500)
  }
}

/** What any script with these headers could do: the demo has no other way into the product. */
export function createCaller(url: string, credentials: Record<string, string>): Caller {
  async function* stream(path: string): AsyncIterable<string> {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: credentials })
    if (!response.ok || !response.body) throw new StartFault(`The demo: ${path} returned ${response.status}`)
    let rest = ''
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + piece).split('\n\n')
      rest = events.pop() ?? ''
      yield* events
    }
  }
  const call: Call = async <T>(path: string, options: CallOptions = {}): Promise<T> => {
    const { json, expect = [] } = options
    const headers = { accept: 'application/json', ...credentials, ...options.headers }
    const response = await fetch(`${url}${path}`, {
      method: options.method ?? (json === undefined ? 'GET' : 'POST'),
      headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    if (!response.ok && !expect.includes(response.status))
      throw new StartFault(`The demo: ${path} returned ${response.status}: ${messageIn(text)}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return { call, stream }
}
