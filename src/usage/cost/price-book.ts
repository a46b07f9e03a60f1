import type { PriceRow } from '../row.ts'

export interface BookedPrice {
  row: PriceRow
  /** The database is known to have the row; otherwise a request brings it along. */
  isStored: boolean
}

/** Every price, in memory: looked up without waiting, and also while the database is away. */
export interface PriceBook {
  /** The row in force at the time: the group's own, else a synchronised one, else a built-in one. */
  priceFor(groupId: string, provider: string | null, model: string, at: Date): BookedPrice | null
  start(): Promise<void>
  stop(): Promise<void>
}
