import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidField } from '#kernel/errors'
import { collectOpen } from '#kernel/metrics'
import { Places } from './places.ts'
import { isStillAllowed } from './still-allowed.ts'
import type { HttpDeps } from './types.ts'
import { whenClosed } from './when-closed.ts'

/** A client that takes nothing for so long is disconnected; it resumes where it was. */
const maxBlockedMs = 120_000
/** A stream ends after this time, so that a client that resumes it is authenticated again. */
const maxAgeMs = 600_000

export interface EventStreamOptions {
  groupId: string
  /** A client cannot resume the stream, so it has no longest time. */
  isOnce?: boolean
  /** What the client gets first. */
  greeting?: string
}

/** A response of server-sent events, to a client that may read slowly, go away, or lose its rights. */
export class EventStream {
  readonly #request: FastifyRequest
  readonly #response: ServerResponse
  readonly #groupId: string
  readonly #endsAt: number
  #blockedSince: number | null = null

  constructor(request: FastifyRequest, reply: FastifyReply, options: EventStreamOptions) {
    this.#request = request
    this.#response = reply.raw
    this.#groupId = options.groupId
    this.#endsAt = options.isOnce ? Infinity : Date.now() + maxAgeMs
    void reply.hijack()
    this.#response.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    this.#response.on('drain', () => (this.#blockedSince = null))
    this.#response.write(`retry: 2000\n${options.greeting ?? '\n'}`)
  }

  onClose(work: () => void): void {
    whenClosed(this.#response, work)
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded
  }

  /** The client has not taken what was written. */
  get isBlocked(): boolean {
    return this.#response.writableNeedDrain
  }

  /** How much waits for the client in memory. */
  get buffered(): number {
    return this.#response.writableLength
  }

  write(text: string): void {
    if (this.isClosed) return
    if (!this.#response.write(text)) this.#blockedSince ??= Date.now()
  }

  /** Resolves when the client has taken what was written, or has gone. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.isBlocked) return
    const settled = new AbortController()
    const { signal } = settled
    const waits = ['drain', 'close'].map((name) => once(this.#response, name, { signal }))
    await Promise.race(waits).catch(() => undefined)
    settled.abort()
    await Promise.allSettled(waits)
  }

  /** To be called every few seconds. */
  beat(comment = ': keep-alive\n\n'): void {
    const now = Date.now()
    if (now > this.#endsAt) return this.end()
    if (this.#blockedSince !== null && now - this.#blockedSince > maxBlockedMs)
      return void this.#response.destroy()
    void this.recheck()
    if (!this.isBlocked) this.write(comment)
  }

  /** Ends if the client may no longer read the group. */
  async recheck(): Promise<void> {
    if (!(await this.whenFree(() => isStillAllowed(this.#request, this.#groupId)))) this.end()
  }

  /** Asks the database when its turn comes: open streams leave connections to others. */
  async whenFree<T>(ask: () => Promise<T>): Promise<T> {
    return this.#request.server.openStreams.reads.run(ask)
  }

  /** A client that does not read is cut off. */
  end(): void {
    if (this.isBlocked) this.#response.destroy()
    else this.#response.end()
  }
}

export function eventFrame(id: number | string, type: string | null, data: object): string {
  const event = type === null ? '' : `event: ${type}\n`
  return `id: ${id}\n${event}data: ${JSON.stringify(data)}\n\n`
}

/** The event that the client has last: the header `Last-Event-ID`, or the parameter `after`. */
export function lastEventId(
  { headers }: Pick<FastifyRequest, 'headers'>,
  after: string | undefined,
): string | undefined {
  const header = headers['last-event-id']
  return typeof header === 'string' && header !== '' ? header : after
}

/** The same where events have numbers; 0: from the first one. */
export function lastEventNumber(request: Pick<FastifyRequest, 'headers'>, after: string | undefined): number {
  const given = lastEventId(request, after)
  if (given === undefined) return 0
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw invalidField(given === after ? 'after' : 'Last-Event-ID', 'must be the ID of an event')
}

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: {
      /** The streams of server-sent events, counted by group, by person with all their keys, and by key. */
      groups: Places
      people: Places
      keys: Places
      /** For what open streams read, so that many that resume together leave connections to others. */
      reads: ReadLimit
    }
  }
}

export function limitStreams(
  app: FastifyInstance,
  { config, metrics }: Pick<HttpDeps, 'config' | 'metrics'>,
): void {
  const places = (owner: string, maxPerOwner: number): Places =>
    new Places({ what: 'streams', owner, max: config.MAX_STREAMS, maxPerOwner })
  const groups = places('group', config.MAX_STREAMS_PER_GROUP)
  collectOpen(metrics.registry, 'streams', 'Streams of server-sent events that are open', () => groups.total)
  app.decorate('openStreams', {
    groups,
    people: places('person', config.MAX_STREAMS_PER_PERSON),
    keys: places('key', config.MAX_STREAMS_PER_KEY),
    reads: new ReadLimit(4),
  })
}

/** To be called before anything is started for a stream: refuses when too many are open. */
export function admitStream(request: FastifyRequest, reply: FastifyReply, groupId: string): void {
  const { groups, people, keys } = request.server.openStreams
  const { user, key } = request.principal ?? {}
  request.isTimedApart = true
  // A place that was taken before a later one is refused is given back when the refusal has been sent.
  const take = (places: Places, id: string): void => whenClosed(reply.raw, places.take(id))
  if (key) take(keys, key.id)
  if (user) take(people, user.id)
  take(groups, groupId)
}

/** Lets a few reads run at a time, so that many readers that resume together leave connections to others. */
class ReadLimit {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#free = limit
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    try {
      return await read()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
