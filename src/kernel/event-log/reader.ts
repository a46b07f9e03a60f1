import type { EventStream } from '#kernel/http'

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
export class LogReader {
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
