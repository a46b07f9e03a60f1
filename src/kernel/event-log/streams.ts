import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Listener } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import { EventStream, type EventStreamOptions } from '#kernel/http'

const heartbeatMs = 15_000

/** Those in this process who follow a log, whichever process writes it. */
export class LogStreams {
  readonly #readers = new Set<LogReader>()
  readonly #wakes = new Map<string, Set<() => void>>()
  #heartbeat: NodeJS.Timeout | undefined
  #isStopped = false

  /** The channel tells the subjects that have news. */
  async start(listener: Listener, channel: string): Promise<void> {
    await listener.on(
      channel,
      (subjectId) => this.wake(subjectId),
      () => this.#wakeAll(),
    )
    // After the caches of keys have heard it too.
    const recheck = (): void => void setImmediate(() => this.#each((reader) => reader.recheck()))
    await listener.on('access_changed', recheck, recheck)
    this.#heartbeat = setInterval(() => this.#each((reader) => reader.beat()), heartbeatMs).unref()
  }

  /** Ends every stream with what was written so far; clients resume elsewhere. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#heartbeat)
    this.#wakeAll()
    this.#each((reader) => reader.finish())
  }

  /** Responds with the log, and follows it. */
  open(request: FastifyRequest, reply: FastifyReply, followed: Followed, options: EventStreamOptions): void {
    if (this.#isStopped) throw new Fault(faults.unavailable, 'The server is stopping.')
    const stream = new EventStream(request, reply, options)
    const reader = new LogReader(stream, followed)
    this.#readers.add(reader)
    const leave = this.#onNews(followed.subjectId, () => reader.wake())
    stream.onClose(() => {
      leave()
      this.#readers.delete(reader)
    })
    reader.wake()
  }

  wake(subjectId: string): void {
    for (const wake of this.#wakes.get(subjectId) ?? []) wake()
  }

  /** Resolves with the next news, or after the time. What came before is not counted: look after asking. */
  async news(subjectId: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = (): void => resolve()
    const timer = setTimeout(done, timeoutMs)
    const leave = this.#onNews(subjectId, done)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
    await promise
    signal?.removeEventListener('abort', done)
    clearTimeout(timer)
    leave()
  }

  #onNews(subjectId: string, wake: () => void): () => void {
    const others = this.#wakes.get(subjectId) ?? new Set()
    this.#wakes.set(subjectId, others.add(wake))
    return () => {
      others.delete(wake)
      if (others.size === 0) this.#wakes.delete(subjectId)
    }
  }

  #wakeAll(): void {
    for (const subjectId of [...this.#wakes.keys()]) this.wake(subjectId)
  }

  #each(work: (reader: LogReader) => void): void {
    for (const reader of [...this.#readers]) work(reader)
  }
}

/** What a client gets next of a log. */
export interface LogPage {
  frames: readonly { seq: number; text: string }[]
  /** Set when nothing follows the frames: the very last that the client gets. */
  last?: string
}

export interface Followed {
  subjectId: string
  /** The last event that the client has. */
  after: number
  read(after: number, limit: number): Promise<LogPage>
}

const pageSize = 100

/**
 * One client of a log. Everything comes from the table, a page at a time and only when the client has taken what came
 * before, so all clients get the same in the same order and none takes memory by being slow.
 */
class LogReader {
  readonly #stream: EventStream
  readonly #followed: Followed
  #position: number
  #isReading = false
  #hasNews = false
  #isFinishing = false

  constructor(stream: EventStream, followed: Followed) {
    this.#stream = stream
    this.#followed = followed
    this.#position = followed.after
  }

  /** Something may be new in the log. */
  wake(): void {
    this.#hasNews = true
    if (!this.#isReading) void this.#follow()
  }

  beat(): void {
    this.#stream.beat()
    // What a lost notification would have said.
    this.wake()
  }

  recheck(): void {
    void this.#stream.recheck()
  }

  /** Ends when what is in the log by now was sent. A client that does not read is not waited for. */
  finish(): void {
    this.#isFinishing = true
    if (this.#stream.isBlocked) this.#stream.end()
    else this.wake()
  }

  async #follow(): Promise<void> {
    this.#isReading = true
    try {
      while (this.#hasNews && !this.#stream.isClosed) {
        this.#hasNews = false
        await this.#sendPage()
      }
    } catch {
      // The database is unavailable: the next heartbeat tries again.
    }
    this.#isReading = false
    if (this.#isFinishing) this.#stream.end()
  }

  async #sendPage(): Promise<void> {
    const { frames, last } = await this.#stream.whenFree(() => this.#followed.read(this.#position, pageSize))
    for (const { seq, text } of frames) {
      if (this.#stream.isClosed) return
      this.#stream.write(text)
      this.#position = seq
      await this.#stream.drained()
    }
    if (last === undefined) {
      this.#hasNews ||= frames.length === pageSize
      return
    }
    this.#stream.write(last)
    this.#stream.end()
  }
}
