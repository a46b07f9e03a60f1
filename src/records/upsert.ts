import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import {
  insertRecord,
  lockRecord,
  updateRecord,
  type Db,
  type RecordTable,
  type Values,
} from './record-store.ts'
import type { Upserted } from './writer.ts'

/** A record that has an ID where it comes from. */
interface ReportedRow {
  id: string
  group_id: string
  source: string
  external_id: string | null
}

/** A record that another report may delete while this one is on its way; more often is not plausible. */
const attempts = 3

/**
 * Creates the record of a report, or changes the one that is there by what `merge` makes of both. Reports of one record
 * that come at the same moment wait for each other.
 */
export async function upsertRecord<Row extends ReportedRow>(
  db: Db,
  table: RecordTable,
  created: Values<Row> & ReportedRow,
  merge: (before: Row) => Values<Row>,
): Promise<{ row: Row; before: Row | undefined; outcome: Upserted['outcome'] }> {
  const match = sql`group_id = ${created.group_id} and source = ${created.source} and external_id = ${created.external_id}`
  for (let attempt = 0; attempt < attempts; attempt++) {
    const inserted = await insertRecord<Row>(db, table, created)
    if (inserted) return { row: inserted, before: undefined, outcome: 'created' }
    const merged = await db.transaction().execute(async (transaction) => {
      const before = await lockRecord<Row>(transaction, table, match)
      if (!before) return undefined
      const change = changesOf(before, merge(before))
      if (Object.keys(change).length === 0) return { row: before, before, outcome: 'unchanged' as const }
      const row = await updateRecord<Row>(transaction, table, before.id, change)
      return { row, before, outcome: 'changed' as const }
    })
    if (merged) return merged
  }
  throw new Error(`${table.name}: the record ${created.external_id} was deleted as often as it was written`)
}

function changesOf<Row extends object>(before: Row, values: Values<Row>): Values<Row> {
  const changed = Object.entries(values).filter(
    ([column, value]) =>
      value !== undefined && !isDeepStrictEqual(value, (before as Record<string, unknown>)[column]),
  )
  return Object.fromEntries(changed) as Values<Row>
}

interface Status {
  status: string
  at: Date
}

/** Later wins; at the same time the status that is further on. The same status again may correct other fields. */
export function isNewer(report: Status, before: Status, order: readonly string[]): boolean {
  if (report.at.getTime() !== before.at.getTime()) return report.at > before.at
  return order.indexOf(report.status) >= order.indexOf(before.status)
}
