/** One open stream of a session. */
export interface HubReader {
  readonly sessionId: string
  /** Something new is in the log of the session. */
  wake(): void
  beat(): void
  /** Ends the stream if its client may no longer read the group. */
  recheck(): void
  end(): void
}

const heartbeatMs = 15_000

/** The streams of this process. Each reads the log; the hub says when. */
export class StandupHub {
  readonly #readers = new Map<string, Set<HubReader>>()
  #heartbeat: NodeJS.Timeout | undefined
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  start(): void {
    this.#heartbeat = setInterval(() => this.#each((reader) => reader.beat()), heartbeatMs).unref()
  }

  /** Ends every stream; clients resume elsewhere. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#heartbeat)
    this.#each((reader) => reader.end())
  }

  add(reader: HubReader): void {
    const readers = this.#readers.get(reader.sessionId) ?? new Set()
    this.#readers.set(reader.sessionId, readers.add(reader))
  }

  remove(reader: HubReader): void {
    const readers = this.#readers.get(reader.sessionId)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readers.delete(reader.sessionId)
  }

  wake(sessionId: string): void {
    for (const reader of this.#readers.get(sessionId) ?? []) reader.wake()
  }

  /** Notifications may have been lost. */
  wakeAll(): void {
    this.#each((reader) => reader.wake())
  }

  recheck(): void {
    this.#each((reader) => reader.recheck())
  }

  #each(work: (reader: HubReader) => void): void {
    for (const readers of [...this.#readers.values()]) for (const reader of [...readers]) work(reader)
  }
}
