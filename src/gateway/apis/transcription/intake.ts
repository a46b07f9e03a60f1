import type { TranscriptionForm } from './form.ts'
import type { MultipartScanner } from './multipart-scanner.ts'
import type { Spool } from './spool.ts'
import type { Upload } from './upload.ts'

export interface IntakeParts {
  upload: Upload
  scanner: MultipartScanner
  form: TranscriptionForm
  spool: Spool
}

/** Reads a form: first until the provider is known, then piece by piece as the provider asks for more. */
export class Intake {
  readonly #parts: IntakeParts
  #isOver = false

  constructor(parts: IntakeParts) {
    this.#parts = parts
  }

  /**
   * Reads until the model is known and a file is passing. Where only small fields are left the rest is read too, so
   * that what is wrong with them is found before the provider is called.
   */
  async begin(): Promise<void> {
    const { form, scanner, spool } = this.#parts
    while (!this.#isOver && !(form.hasModel && scanner.isInFile)) {
      for (const piece of await this.#next()) await spool.add(piece)
    }
  }

  /**
   * The form for the provider: what has been read, then the rest as it comes. The last piece waits until the form
   * is known to be complete; with a declared length the provider would otherwise take a cut-off one for complete.
   */
  async *bytes(): AsyncGenerator<Buffer, void, undefined> {
    let last: Buffer | undefined
    for await (const piece of this.#all()) {
      if (last) yield last
      last = piece
    }
    if (last) yield last
  }

  /** The length of the form for the provider; null when the client did not declare its own. */
  get declaredBytes(): number | null {
    const { upload, form } = this.#parts
    return upload.declaredBytes === null ? null : upload.declaredBytes + form.addedBytes
  }

  async *#all(): AsyncGenerator<Buffer, void, undefined> {
    yield* this.#parts.spool.read()
    while (!this.#isOver) yield* await this.#next()
  }

  async #next(): Promise<Buffer[]> {
    const { upload, scanner, form } = this.#parts
    const piece = await upload.next()
    if (piece === null) {
      scanner.finish()
      form.finish()
      this.#isOver = true
      return []
    }
    const passing: Buffer[] = []
    for (const segment of scanner.push(piece)) {
      if (segment.kind === 'bytes') passing.push(segment.bytes)
      else if (segment.kind === 'file') form.file(segment.name, segment.filename)
      else passing.push(form.field(segment.name, segment.value))
    }
    // A stream takes an empty piece for its end.
    return passing.filter((bytes) => bytes.length > 0)
  }
}
