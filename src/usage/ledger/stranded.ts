import type { Batch, Source, WaitingRow } from './source.ts'

const batchRows = 1_000

/** Rows that the disk did not take: they wait in memory for the disk or the database, whichever takes them first. */
export class Stranded implements Source {
  #rows: WaitingRow[] = []
  #write: (id: string, json: string) => void
  #copied: (id: string) => void

  constructor(write: (id: string, json: string) => void, copied: (id: string) => void) {
    this.#write = write
    this.#copied = copied
  }

  get size(): number {
    return this.#rows.length
  }

  add(id: string, json: string): void {
    this.#rows.push({ id, payload: Buffer.from(json) })
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
      for (let [row] = this.#rows; row; [row] = this.#rows) {
        this.#write(row.id, row.payload.toString())
        this.#rows.shift()
      }
    } catch {
      // Still not; the database may take them.
    }
  }
}
