import type { Frame } from './frame.ts'

/** A settled request on its way to the database. */
export type WaitingRow = Pick<Frame, 'id' | 'payload'>

export interface Batch {
  rows: readonly WaitingRow[]
  /** Others wait behind these already. */
  hasMore: boolean
  /** To be called once all rows stand in the database, or were laid aside. */
  done(): Promise<void>
}

/** Where rows wait for the database. */
export interface Source {
  /** The next rows, the same again until they are done; undefined when none wait. */
  take(): Promise<Batch | undefined>
}
