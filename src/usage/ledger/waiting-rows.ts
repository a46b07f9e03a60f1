import type { EndedRow, Batch, Source } from './source.ts'

/** A row that was just written, and its position in the journal. */
export interface RecentRow extends Pick<EndedRow, 'id' | 'record'> {
  /** The number of its segment. */
  segment: number
  end: number
  bytes: number
}

/** Measured by the size in the journal, which is close to the size in memory. */
const maxBytes = 8 * 1024 * 1024
const maxRows = 250

/**
 * Keeps waiting rows in memory while they are few, so that they need not be read from the disk. When there are too many,
 * as during a database outage, they are discarded, and rows are read from the journal until it is caught up.
 */
export class RecentRows {
  #rows: RecentRow[] = []
  #bytes = 0
  #isComplete = true

  /** True when every waiting row is in memory. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  add(row: RecentRow): void {
    if (!this.#isComplete) return
    this.#bytes += row.bytes
    if (this.#bytes <= maxBytes) this.#rows.push(row)
    else this.#discard()
  }

  /** The first rows of a segment, and whether those are all of its rows. */
  first(segment: number): { rows: readonly RecentRow[]; areAll: boolean } {
    const other = this.#rows.findIndex((row) => row.segment !== segment)
    const count = other === -1 ? this.#rows.length : other
    return { rows: this.#rows.slice(0, Math.min(count, maxRows)), areAll: count <= maxRows }
  }

  /** Called with the first rows when they are in the database. */
  drop(rows: readonly RecentRow[]): void {
    if (!this.#isComplete) return
    this.#rows.splice(0, rows.length)
    for (const { bytes } of rows) this.#bytes -= bytes
  }

  /** Called when no row waits, so rows added from now on are complete again. */
  restart(): void {
    this.#isComplete = true
  }

  #discard(): void {
    this.#rows = []
    this.#bytes = 0
    this.#isComplete = false
  }
}

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
