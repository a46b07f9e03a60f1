import type { Batch, EndedRow, Source } from './source.ts'

const batchRows = 1_000

/** Rows that the disk did not take: they wait in memory for the disk or the database, whichever takes them first. */
export class Stranded implements Source {
  #rows: EndedRow[] = []
  #write: (row: EndedRow) => void
  #copied: (id: string) => void

  /** `write` throws when the disk does not take a row, after having added it here again. */
  constructor(write: (row: EndedRow) => void, copied: (id: string) => void) {
    this.#write = write
    this.#copied = copied
  }

  get size(): number {
    return this.#rows.length
  }

  add(row: EndedRow): void {
    this.#rows.push(row)
  }

  async take(): Promise<Batch | undefined> {
    this.#tryDisk()
    const rows = this.#rows.slice(0, batchRows)
    if (rows.length === 0) return undefined
    return {
      rows,
      hasMore: this.#rows.length > rows.length,
      done: async () => {
        this.#rows.splice(0, rows.length)
        for (const { id } of rows) this.#copied(id)
      },
    }
  }

  #tryDisk(): void {
    try {
      for (let row = this.#rows.shift(); row; row = this.#rows.shift()) this.#write(row)
    } catch {
      // Still not; the database may take them.
    }
  }
}
