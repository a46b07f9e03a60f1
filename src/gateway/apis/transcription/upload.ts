import type { IncomingMessage } from 'node:http'
import { Fault, faults, invalid } from '#kernel/errors'
import { clientDisconnected } from '../../transport/faults.ts'

const largest = 512 * 1024 * 1024
const maxSilenceMs = 120_000
const maxDrainMs = 30_000

/** The client's body, taken one piece at a time: what is not asked for stays with the client. */
export class Upload {
  readonly #request: IncomingMessage
  readonly #wake = (): void => this.#resume?.()
  #resume: (() => void) | undefined
  #bytes = 0
  #isDiscarded = false

  constructor(request: IncomingMessage) {
    this.#request = request
    for (const event of ['readable', 'end', 'error', 'close']) request.on(event, this.#wake)
  }

  /** As the client declared it; null when it did not. */
  get declaredBytes(): number | null {
    const length = this.#request.headers['content-length']
    return length === undefined ? null : Number(length)
  }

  /** The next piece; null at the end. */
  async next(): Promise<Buffer | null> {
    if ((this.declaredBytes ?? 0) > largest) throw tooLarge()
    for (;;) {
      if (this.#isDiscarded) throw clientDisconnected()
      const piece = this.#request.read() as Buffer | null
      if (piece) {
        this.#bytes += piece.length
        if (this.#bytes > largest) throw tooLarge()
        return piece
      }
      if (this.#request.readableEnded) return null
      if (this.#request.destroyed) throw clientDisconnected()
      await this.#change()
    }
  }

  /**
   * Reads the rest and ignores it. A client that is still sending reads its response only afterwards, and one that is cut
   * off may never see it; the time for this is limited.
   */
  discard(): void {
    if (this.#isDiscarded) return
    this.#isDiscarded = true
    this.#request.off('readable', this.#wake)
    this.#wake()
    if (this.#request.readableEnded || this.#request.destroyed) return
    const timeout = setTimeout(() => this.#request.destroy(), maxDrainMs).unref()
    this.#request.once('close', () => clearTimeout(timeout))
    this.#request.resume()
  }

  #change(): Promise<void> {
    return new Promise((resolve, reject) => {
      const silence = setTimeout(() => {
        this.#resume = undefined
        reject(invalid('The upload made no progress for two minutes.'))
      }, maxSilenceMs)
      this.#resume = () => {
        this.#resume = undefined
        clearTimeout(silence)
        resolve()
      }
    })
  }
}

const tooLarge = (): Fault =>
  new Fault(faults.requestTooLarge, 'The upload is too large. The limit is 512 MiB.', { param: 'file' })
