import type { EndedRow } from './source.ts'

/** A row that was written a moment ago, and where in the journal it ends. */
export interface RecentRow extends Pick<EndedRow, 'id' | 'record'> {
  /** The number of its segment. */
  segment: number
  end: number
  bytes: number
}

/** What the journal holds of a row is a good measure of what memory does. */
const mostBytes = 8 * 1024 * 1024
const mostRows = 250

/**
 * The rows that wait, as long as they are few: what was written a moment ago need not be read again. When they become
 * many, as while the database is away, they are let go, and the journal is read until it is caught up with.
 */
export class RecentRows {
  #rows: RecentRow[] = []
  #bytes = 0
  #isWhole = true

  /** Everything that waits is here. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  add(row: RecentRow): void {
    if (!this.#isWhole) return
    this.#bytes += row.bytes
    if (this.#bytes <= mostBytes) this.#rows.push(row)
    else this.#letGo()
  }

  /** The first rows of a segment, and whether there are no others in it. */
  first(segment: number): { rows: readonly RecentRow[]; areAll: boolean } {
    const other = this.#rows.findIndex((row) => row.segment !== segment)
    const count = other === -1 ? this.#rows.length : other
    return { rows: this.#rows.slice(0, Math.min(count, mostRows)), areAll: count <= mostRows }
  }

  /** The first rows stand in the database. */
  drop(rows: readonly RecentRow[]): void {
    if (!this.#isWhole) return
    this.#rows.splice(0, rows.length)
    for (const { bytes } of rows) this.#bytes -= bytes
  }

  /** Nothing waits any more, so what comes from now on is all there is. */
  begin(): void {
    this.#isWhole = true
  }

  #letGo(): void {
    this.#rows = []
    this.#bytes = 0
    this.#isWhole = false
  }
}
