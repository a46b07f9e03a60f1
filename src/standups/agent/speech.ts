import { Fault, faults } from '#kernel/errors'

/** Pieces are written together: a row for every token would be waste. */
const everyMs = 120
const maxPiece = 2_000
/** No response that was asked for is so long. */
const maxLength = 100_000

/** The message being spoken: gathers what comes and writes it piece by piece, in order. */
export class Speech {
  readonly #write: (text: string) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #buffer = ''
  #length = 0
  #writing = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(write: (text: string) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  add(piece: string): void {
    this.#length += piece.length
    if (this.#length > maxLength) throw new Fault(faults.provider, 'The response of the model does not end.')
    this.#buffer += piece
    if (this.#buffer.length >= maxPiece) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), everyMs)
  }

  /** Everything that came is written; rejects if something was not. */
  async end(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#buffer
    this.#buffer = ''
    if (text === '') return
    this.#writing = this.#writing.then(() => this.#write(text))
    this.#writing.catch(this.#onFailure)
  }
}
