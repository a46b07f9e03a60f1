import { sql } from 'kysely'
import type { Db } from '../record-store.ts'

/** How many unfinished tickets each of the initiatives has. */
export async function openTicketsOf(
  db: Db,
  groupId: string,
  initiativeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select initiative_id as id, count(*)::int as count from records.tickets
    where group_id = ${groupId} and status in ('open', 'in_progress') and initiative_id = any(${initiativeIds}::uuid[])
    group by 1`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
