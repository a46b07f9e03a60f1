/** A stream that may fall silent while a model thinks. */
export interface QuietStream {
  /** Ticks since something was last sent. */
  silence: number
  ping(): void
}

const tickMs = 5_000
const ticksOfSilence = 3

/** One clock for all streams: after 15 s of silence a comment keeps the connection to proxies and clients open. */
export class KeepAlive {
  readonly #streams = new Set<QuietStream>()
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()

  add(stream: QuietStream): void {
    this.#streams.add(stream)
  }

  remove(stream: QuietStream): void {
    this.#streams.delete(stream)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    for (const stream of this.#streams) {
      stream.silence++
      if (stream.silence < ticksOfSilence) continue
      stream.silence = 0
      stream.ping()
    }
  }
}
