import { Fault } from '#kernel/errors'
import { SseParser } from './sse.ts'
import type { SseEvent } from './sse.ts'

/**
 * Reads a stream event by event and keeps the promise of StreamReader: what came before an error in the same piece
 * is returned, and the next call throws.
 */
export class EventReader {
  readonly #read: (event: SseEvent) => string
  readonly #parser = new SseParser()
  #fault: Fault | undefined

  constructor(read: (event: SseEvent) => string) {
    this.#read = read
  }

  push(piece: Uint8Array): string {
    return this.#take(this.#parser.push(piece))
  }

  /** Reads an event whose closing blank line never came. There is one at most, so an error in it is thrown at once. */
  end(): string {
    return this.#take(this.#parser.end())
  }

  #take(events: readonly SseEvent[]): string {
    if (this.#fault) throw this.#fault
    let out = ''
    for (const event of events) {
      try {
        out += this.#read(event)
      } catch (error) {
        if (!(error instanceof Fault) || out === '') throw error
        this.#fault = error
        break
      }
    }
    return out
  }
}
