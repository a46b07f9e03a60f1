import type { ServerResponse } from 'node:http'
import { Transform, type TransformCallback } from 'node:stream'
import { Fault, faults } from '#kernel/errors'
import { whenClosed } from '../when-closed.ts'
import { largeBody } from './read-json.ts'
import { disconnected } from './turns.ts'

/** Raises what a request has reserved to this many bytes. Returns 503 where too much is in use. */
type Reserve = (bytes: number) => Fault | undefined

/**
 * Memory for the large bodies of a process, from their first byte to the end of their response. Without a limit, a few
 * dozen requests at the same moment would take gigabytes.
 */
export class BodyBudget {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What is reserved is given back when the response is over, or the client disconnects. */
  reserveFor(response: ServerResponse): Reserve {
    let reserved = 0
    whenClosed(response, () => (this.#used -= reserved))
    return (bytes) => {
      // Nothing would give back what is reserved now.
      if (response.closed) return disconnected()
      if (this.#used - reserved + bytes > this.#limit) return exhausted()
      this.#used += bytes - reserved
      reserved = bytes
      return undefined
    }
  }
}

export function bodyTooLarge(limit: number): Fault {
  const size = limit < 1_048_576 ? `${Math.floor(limit / 1024)} KiB` : `${Math.floor(limit / 1_048_576)} MiB`
  return new Fault(faults.requestTooLarge, `The request body is too large: this route takes at most ${size}.`)
}

const exhausted = (): Fault =>
  new Fault(
    faults.unavailable,
    'Too many large requests are in progress. Retry after the time in Retry-After; BODY_BUDGET_BYTES sets the limit.',
    { headers: { 'retry-after': '2' } },
  )

/** Reserves memory for a body of unknown length as it arrives; the first 128 KiB are not counted. */
export class CountedBody extends Transform {
  readonly #reserve: Reserve
  readonly #limit: number
  #received = 0
  #reserved = largeBody

  constructor(reserve: Reserve, limit: number) {
    super()
    this.#reserve = reserve
    this.#limit = limit
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length
    if (this.#received > this.#limit) return done(bodyTooLarge(this.#limit))
    let fault: Fault | undefined
    if (this.#received > this.#reserved) {
      this.#reserved = Math.min(2 * this.#received, this.#limit)
      fault = this.#reserve(this.#reserved)
    }
    if (fault) done(fault)
    else done(null, chunk)
  }
}
