import type { Settled } from './records.ts'

/** A settled request on its way to the database. */
export interface WaitingRow {
  /** The request's uuid, 32 hexadecimal digits. */
  id: string
  /** As it was settled, or as the journal has it. */
  record: Settled | Buffer
}

/** The same, just ended. */
export interface EndedRow extends WaitingRow {
  record: Settled
  /** What the journal is to keep of it, made when it is written. */
  json(): string
}

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
