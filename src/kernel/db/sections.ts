import { StartFault } from '#kernel/errors'

/** A line that says what follows, and what follows up to the line `\.`: whole lines, in pieces of any length. */
export interface Section {
  title: string
  /** To be read before the next section. */
  body: AsyncIterable<Buffer>
}

const bodyEnd = Buffer.from('\\.\n')
const laterBodyEnd = Buffer.from('\n\\.\n')

/**
 * Reads lines and sections out of pieces. Lines end at a line feed and nowhere else: texts may hold every other
 * separator that readers of lines know, such as U+2028, and PostgreSQL escapes only the line feed.
 */
export class SectionReader {
  readonly #pieces: AsyncIterator<string | Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<string | Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (done) return false
    const piece = typeof value === 'string' ? Buffer.from(value) : value
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    return true
  }

  /** Undefined at the end. */
  async line(): Promise<string | undefined> {
    let end = this.#rest.indexOf(10)
    while (end < 0) {
      const searched = this.#rest.length
      if (!(await this.#more())) break
      end = this.#rest.indexOf(10, searched)
    }
    if (end < 0 && this.#rest.length === 0) return undefined
    return this.#take(end < 0 ? this.#rest.length : end, 1).toString()
  }

  async *#body(): AsyncGenerator<Buffer> {
    let isFirstLine = true
    for (;;) {
      if (isFirstLine && this.#rest.subarray(0, bodyEnd.length).equals(bodyEnd)) {
        this.#take(0, bodyEnd.length)
        return
      }
      const end = this.#rest.indexOf(laterBodyEnd)
      if (end >= 0) {
        yield this.#take(end + 1, bodyEnd.length)
        return
      }
      // The end may have begun in the last bytes.
      const sure = this.#rest.length - bodyEnd.length
      if (sure > 0) {
        isFirstLine = false
        yield this.#take(sure, 0)
      }
      if (!(await this.#more()))
        throw new StartFault('The backup is truncated. Use another copy of the file.')
    }
  }

  /** The next bytes, without some that only separate. */
  #take(length: number, separators: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length + separators)
    return taken
  }

  /** Up to a line that is no title, or the end. */
  async *sections(lastLine?: string): AsyncGenerator<Section> {
    for (let title = await this.line(); title !== undefined; title = await this.line()) {
      if (title === lastLine) return
      yield { title, body: this.#body() }
    }
  }
}
