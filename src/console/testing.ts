import { after } from 'node:test'
import { EventSource } from 'eventsource'
import type { Answer, Product } from '#test/product'
import { waitFor } from '#test/wait'
import type { ConsoleEvent, StreamGap } from './contract.ts'
import { activityTypes } from './contract.ts'

/** An event of a test, with what every event needs. */
export function sample(title: string, more: object = {}): object {
  return { type: 'deployment', title, ...more }
}

export function send({ call, key }: Pick<Product, 'call' | 'key'>, ...events: object[]): Promise<Answer> {
  return call('/api/console/events', { key, json: events })
}

export async function list(
  { call, key }: Pick<Product, 'call' | 'key'>,
  query = '',
): Promise<ConsoleEvent[]> {
  const { status, json, text } = await call(`/api/console/events${query}`, { key })
  if (status !== 200) throw new Error(`${status} ${text}`)
  return json.data as ConsoleEvent[]
}

export const titles = (events: readonly { title: string }[]): string[] => events.map(({ title }) => title)

export interface Tail {
  source: EventSource
  events: ConsoleEvent[]
  gaps: StreamGap[]
  /** How often the connection was opened. */
  opened: () => number
  /** Ends the connection, as a network that fails would. */
  cut(): void
  titles(): string[]
}

/** The stream, read by the `eventsource` package; ready when it is open. */
export async function openTail({ url, key }: Pick<Product, 'url' | 'key'>, query = ''): Promise<Tail> {
  let cutting = new AbortController()
  const source = new EventSource(`${url}/api/console/stream${query}`, {
    fetch: (address, init) => {
      cutting = new AbortController()
      const signal = AbortSignal.any([init.signal, cutting.signal])
      return fetch(address, { ...init, signal, headers: { ...init.headers, authorization: `Bearer ${key}` } })
    },
  })
  after(() => source.close())
  const tail: Tail = {
    source,
    events: [],
    gaps: [],
    opened: () => opened,
    cut: () => cutting.abort(new Error('the connection was cut')),
    titles: () => titles(tail.events),
  }
  let opened = 0
  source.addEventListener('open', () => opened++)
  for (const type of activityTypes)
    source.addEventListener(type, ({ data }: { data?: unknown }) => {
      // The package reports a lost connection as an event `error` without data.
      if (typeof data === 'string') tail.events.push(JSON.parse(data) as ConsoleEvent)
    })
  source.addEventListener('gap', ({ data }) => tail.gaps.push(JSON.parse(data as string) as StreamGap))
  await waitFor('the stream to open', () => opened > 0)
  return tail
}
