import type { Socket } from 'node:net'
import type { ByteBudget } from './limits.ts'

/** Less than this is not counted, as with bodies of requests. */
const smallBytes = 128 * 1024

/**
 * Counts what a client has sent of a message that is not complete yet, and what waits for its turn: a frame is held in
 * memory until its last byte, so many large ones at once would take gigabytes.
 */
export class ArrivingBytes {
  readonly #budget: ByteBudget
  readonly #exceeded: () => void
  #arriving = 0
  #waiting = 0
  #reserved = 0
  #isOver = false

  constructor(budget: ByteBudget, socket: Socket, exceeded: () => void) {
    this.#budget = budget
    this.#exceeded = exceeded
    // Before the library reads them: the last piece of a message sets the count to 0.
    socket.prependListener('data', (piece: Buffer) => {
      this.#arriving += piece.length
      this.#reserve()
    })
  }

  /** A message is complete. */
  received(waiting: number): void {
    this.#arriving = 0
    this.waits(waiting)
  }

  waits(bytes: number): void {
    this.#waiting = bytes
    this.#reserve()
  }

  clear(): void {
    this.#isOver = true
    this.#budget.change(this.#reserved, 0)
    this.#reserved = 0
  }

  #reserve(): void {
    if (this.#isOver) return
    const held = this.#arriving + this.#waiting
    const bytes = held > smallBytes ? held : 0
    if (this.#budget.change(this.#reserved, bytes)) this.#reserved = bytes
    else {
      this.clear()
      this.#exceeded()
    }
  }
}
