import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidField } from '#kernel/errors'
import { isStillAllowed } from './still-allowed.ts'
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
