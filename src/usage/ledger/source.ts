import type { Settled } from './records.ts'

/** A settled request that waits for the database. */
export interface WaitingRow {
  /** The request's uuid, 32 hexadecimal digits. */
  id: string
  /** In memory, or as the bytes of its journal record. */
  record: Settled | Buffer
}

/** A request that has just ended. */
export interface EndedRow extends WaitingRow {
  record: Settled
  /** The journal record, built when it is written. */
  json(): string
}

export interface Batch {
  rows: readonly WaitingRow[]
  /** More rows are waiting after these. */
  hasMore: boolean
  /** To be called when every row is in the database or was set aside. */
  done(): Promise<void>
}

/** A place where rows wait for the database. */
export interface Source {
  /** The next rows, the same ones until `done` is called; undefined when none wait. */
  take(): Promise<Batch | undefined>
}
