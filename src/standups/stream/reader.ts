import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { StandupEvent } from '../contract.ts'
import type { HubReader, StandupHub } from './hub.ts'

export interface ReaderDeps {
  hub: StandupHub
  response: ServerResponse
  sessionId: string
  /** Events after the position, in order. */
  read(after: number, limit: number): Promise<StandupEvent[]>
  isAllowed(): Promise<boolean>
  /** The last event that the client has. */
  position: number
  /** The stream ends after the event `ended`. */
  endsWithSession: boolean
}

const pageSize = 200
/** A client that takes nothing for so long is disconnected; it resumes where it was. */
const maxBlockedMs = 120_000
/** A stream ends after this time, so that a client that resumes it is authenticated again. */
const maxAgeMs = 600_000

/**
 * One client of a session. Everything comes from the log, a page at a time and only when the client has taken what
 * came before, so all clients get the same in the same order and none takes memory by being slow.
 */
export class StandupReader implements HubReader {
  readonly sessionId: string
  readonly #deps: ReaderDeps
  readonly #openedAt = Date.now()
  #position: number
  #isReading = false
  #hasNews = false
  #blockedSince: number | null = null

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.sessionId = deps.sessionId
    this.#position = deps.position
  }

  open(): void {
    const { response, hub } = this.#deps
    hub.add(this)
    response.once('close', () => hub.remove(this))
    response.on('drain', () => (this.#blockedSince = null))
    response.write('retry: 2000\n\n')
    this.wake()
  }

  wake(): void {
    this.#hasNews = true
    if (!this.#isReading) void this.#follow()
  }

  beat(): void {
    const now = Date.now()
    if (now - this.#openedAt > maxAgeMs) return this.end()
    if (this.#blockedSince !== null && now - this.#blockedSince > maxBlockedMs) return this.#destroy()
    this.recheck()
    if (!this.#deps.response.writableNeedDrain) this.#write(': keep-alive\n\n')
    // What a lost notification would have said.
    this.wake()
  }

  recheck(): void {
    void this.#endUnlessAllowed()
  }

  async #endUnlessAllowed(): Promise<void> {
    if (!(await this.#deps.isAllowed())) this.end()
  }

  end(): void {
    this.#deps.hub.remove(this)
    if (this.#deps.response.writableNeedDrain) return this.#destroy()
    this.#deps.response.end()
  }

  #destroy(): void {
    this.#deps.hub.remove(this)
    this.#deps.response.destroy()
  }

  async #follow(): Promise<void> {
    this.#isReading = true
    try {
      while (this.#hasNews && !this.#isClosed) {
        this.#hasNews = false
        await this.#page()
      }
    } catch {
      // The database is unavailable: the next heartbeat tries again.
    } finally {
      this.#isReading = false
    }
  }

  async #page(): Promise<void> {
    const events = await this.#deps.read(this.#position, pageSize)
    for (const event of events) {
      if (this.#isClosed) return
      this.#write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`)
      this.#position = event.id
      await this.#drained()
      if (event.type === 'ended' && this.#deps.endsWithSession) return this.end()
    }
    if (events.length === pageSize) this.#hasNews = true
  }

  #write(text: string): void {
    if (this.#isClosed) return
    if (!this.#deps.response.write(text)) this.#blockedSince ??= Date.now()
  }

  async #drained(): Promise<void> {
    const { response } = this.#deps
    if (this.#isClosed || !response.writableNeedDrain) return
    const closed = new AbortController()
    const { signal } = closed
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(
      () => undefined,
    )
    closed.abort()
  }

  get #isClosed(): boolean {
    const { response } = this.#deps
    return response.destroyed || response.writableEnded
  }
}
