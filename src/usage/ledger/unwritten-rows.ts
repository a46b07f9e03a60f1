import type { Batch, EndedRow, Source } from './source.ts'

const batchRows = 1_000

/** Rows that could not be written to the disk: they wait in memory until the disk or the database accepts them. */
export class UnwrittenRows implements Source {
  #rows: EndedRow[] = []
  #write: (row: EndedRow) => void
  #onCopied: (id: string) => void

  /** `write` adds the row here again and throws when the disk still fails. */
  constructor(write: (row: EndedRow) => void, onCopied: (id: string) => void) {
    this.#write = write
    this.#onCopied = onCopied
  }

  get size(): number {
    return this.#rows.length
  }

  add(row: EndedRow): void {
    this.#rows.push(row)
  }

  async take(): Promise<Batch | undefined> {
    this.#retryDisk()
    const rows = this.#rows.slice(0, batchRows)
    if (rows.length === 0) return undefined
    return {
      rows,
      hasMore: this.#rows.length > rows.length,
      done: async () => {
        this.#rows.splice(0, rows.length)
        for (const { id } of rows) this.#onCopied(id)
      },
    }
  }

  #retryDisk(): void {
    try {
      for (let row = this.#rows.shift(); row; row = this.#rows.shift()) this.#write(row)
    } catch {
      // The disk still fails; the database may accept the rows.
    }
  }
}
