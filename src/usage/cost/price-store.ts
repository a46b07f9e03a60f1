import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import type { PriceRow } from '../row.ts'
import type { UsageTables } from '../tables.ts'
import type { SyncTimes } from './synced-prices.ts'

type Db = Kysely<UsageTables>
type StoredPrice = Selectable<UsageTables['usage.model_pricing']>

/** Prices that may still be needed: those in force, future ones, and those that ended after `time`. */
export async function listPricesSince(db: Db, time: Date): Promise<PriceRow[]> {
  const rows = await db
    .selectFrom('usage.model_pricing')
    .selectAll()
    .where((eb) => eb.or([eb('effective_to', 'is', null), eb('effective_to', '>', time)]))
    .execute()
  return rows.map(toPriceRow)
}

export async function listAllPrices(db: Db): Promise<PriceRow[]> {
  return (await db.selectFrom('usage.model_pricing').selectAll().execute()).map(toPriceRow)
}

/** Every price a group may see for one model or all of them: its own and the built-in ones; newest first. */
export async function listPricesOf(db: Db, groupId: string, model: string | undefined): Promise<PriceRow[]> {
  const rows = await db
    .selectFrom('usage.model_pricing')
    .selectAll()
    .where((eb) => eb.or([eb('group_id', '=', groupId), eb('source', '=', 'built_in')]))
    .$if(model !== undefined, (query) => query.where('model_id', '=', model ?? ''))
    .orderBy('effective_from', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(toPriceRow)
}

/** Ends prices at a time. A price that begins later is kept, and applies to no time. */
async function closePrices(db: Db, of: PriceKey, at: Date): Promise<number> {
  const closed = await db
    .updateTable('usage.model_pricing')
    .set({ effective_to: sql<Date>`greatest(effective_from, ${at}::timestamptz)` })
    .where('model_id', '=', of.model_id)
    .where('source', '=', of.source)
    .where(sql<boolean>`group_id is not distinct from ${of.group_id}::uuid`)
    .where((eb) => eb.or([eb('effective_to', 'is', null), eb('effective_to', '>', at)]))
    .executeTakeFirst()
  return Number(closed.numUpdatedRows)
}

type PriceKey = Pick<PriceRow, 'group_id' | 'model_id' | 'source'>

/** From its start on the new price applies and no other of its kind; earlier ones are unchanged. */
export async function openPrices(db: Db, rows: readonly PriceRow[], createdBy: string | null): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockPrices(transaction)
    for (const row of rows) {
      await closePrices(transaction, row, new Date(row.effective_from))
      await transaction.insertInto('usage.model_pricing').values(toStored(row, createdBy)).execute()
    }
  })
}

/** Ends a price now. False when there was none. */
export async function endPrice(db: Db, of: PriceKey): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await lockPrices(transaction)
    return (await closePrices(transaction, of, new Date())) > 0
  })
}

/** Long enough for every process to load a changed price before it applies. */
export const noticeMs = 2_000

/** Opens new and changed synchronised prices, and closes those that changed or are no longer listed. */
export async function changeSynced(
  db: Db,
  difference: (inForce: PriceRow[], times: SyncTimes) => { opened: PriceRow[]; closed: PriceRow[] },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockPrices(transaction)
    const now = new Date()
    const rows = await transaction
      .selectFrom('usage.model_pricing')
      .selectAll()
      .where('source', '=', 'synced')
      .where((eb) => eb.or([eb('effective_to', 'is', null), eb('effective_to', '>', now)]))
      .orderBy(sql`effective_to asc nulls last`)
      .execute()
    // One time for both, so that there is neither a gap nor an overlap between the old row and the new one.
    const later = new Date(now.getTime() + noticeMs)
    const { opened, closed } = difference(rows.map(toPriceRow), { now, later })
    if (opened.length === 0 && closed.length === 0) return
    const ended = closed.map((row) => row.id)
    await transaction
      .updateTable('usage.model_pricing')
      .set({ effective_to: sql<Date>`greatest(effective_from, ${later}::timestamptz)` })
      .where(sql<boolean>`id = any(${ended}::uuid[])`)
      .execute()
    for (let start = 0; start < opened.length; start += 500)
      await transaction
        .insertInto('usage.model_pricing')
        .values(opened.slice(start, start + 500).map((row) => toStored(row, null)))
        .execute()
  })
}

export async function insertBuiltIn(db: Db, rows: readonly PriceRow[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('usage.model_pricing')
    .values(rows.map((row) => toStored(row, null)))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** One change at a time, in all processes: a price is read, closed and opened as one step. */
async function lockPrices(transaction: Transaction<UsageTables>): Promise<void> {
  await lockUntilCommit(transaction, 'prices')
}

function toStored(row: PriceRow, createdBy: string | null) {
  return {
    ...row,
    unit_prices: row.unit_prices && JSON.stringify(row.unit_prices),
    tiers: row.tiers && JSON.stringify(row.tiers),
    effective_from: new Date(row.effective_from),
    effective_to: row.effective_to === null ? null : new Date(row.effective_to),
    created_by: createdBy,
  }
}

function toPriceRow(stored: StoredPrice): PriceRow {
  const { created_by: _by, created_at: _at, ...row } = stored
  return {
    ...row,
    effective_from: row.effective_from.toISOString(),
    effective_to: row.effective_to?.toISOString() ?? null,
  }
}
