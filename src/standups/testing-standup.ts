import { randomUUID } from 'node:crypto'
import type { CallOptions, Product } from '#test/product'
import { waitFor } from '#test/wait'
import { ownerTokenOf } from '#test/owner'
import type { Proposal, StandupEvent } from './contract.ts'

/** A client of a stand-up's stream. */
export interface Listener {
  status: number
  headers: Headers
  events: StandupEvent[]
  /** The first event that fits, of those that come or came after `from`. */
  next<T extends StandupEvent['type']>(
    type: T,
    fits?: (event: Extract<StandupEvent, { type: T }>) => boolean,
  ): Promise<Extract<StandupEvent, { type: T }>>
  /** What was said, as `role: content`. */
  said(): string[]
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  close(): void
}

/** Opens a stream: a POST starts or joins, a GET follows. */
export async function listen(
  { url }: Pick<Product, 'url'>,
  path: string,
  { method = 'POST', lastEventId }: { method?: 'GET' | 'POST'; lastEventId?: number } = {},
): Promise<Listener> {
  const controller = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-owner-token': ownerTokenOf(url) ?? '',
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    },
    signal: controller.signal,
  })
  const events: StandupEvent[] = []
  const ended = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? readInto(response, events)
    : Promise.resolve()
  return {
    status: response.status,
    headers: response.headers,
    events,
    ended,
    async next(type, fits = () => true) {
      type Wanted = Extract<StandupEvent, { type: typeof type }>
      return waitFor(`an event ${type}`, () =>
        events.find((event): event is Wanted => event.type === type && fits(event as Wanted)),
      )
    },
    said: () =>
      events.flatMap((event) => (event.type === 'message' ? [`${event.role}: ${event.content}`] : [])),
    close: () => controller.abort(),
  }
}

async function readInto(response: Response, events: StandupEvent[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  try {
    for await (const piece of response.body ?? []) {
      rest += decoder.decode(piece as Uint8Array, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) events.push(JSON.parse(data) as StandupEvent)
      }
    }
  } catch {
    // Closed by the test, or cut by the server.
  }
}

/** An initiative with a criterion and an open question. */
export async function newInitiative({ call }: Pick<Product, 'call'>, title = `Checkout ${randomUUID()}`) {
  const { json: created } = await call('/api/initiatives', { json: { title } })
  const path = `/api/initiatives/${created.id}`
  await call(`${path}/criteria`, {
    json: { text: 'p95 is below 300 ms', confidence: 50, reason: 'First estimate' },
  })
  const question = { text: 'Do we keep guest checkout?', category: 'direction' }
  const { json } = await call(`${path}/questions`, { json: question })
  return {
    id: json.id as string,
    path,
    standup: `${path}/standup`,
    criterion: json.criteria[0].id as string,
    question: json.open_questions[0].id as string,
    say: (content: string, options: CallOptions = {}) =>
      call(`${path}/standup/message`, { json: { content }, ...options }),
    end: (generate_artifacts = true) => call(`${path}/standup/end`, { json: { generate_artifacts } }),
  }
}

/** How many turns are over. */
export const turnsOver = ({ events }: Listener): number =>
  events.filter((event) => event.type === 'turn' && event.state === 'finished').length

export async function turnOver(listener: Listener, count: number): Promise<void> {
  await waitFor(`turn ${count}`, () => turnsOver(listener) >= count)
}

export const proposalsIn = ({ events }: Listener): Proposal[] =>
  events.flatMap((event) => (event.type === 'proposal' ? [event.proposal] : []))
