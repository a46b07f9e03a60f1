import { sql } from 'kysely'
import { isUuid } from '#kernel/uuid'
import type { Queries } from '../tables.ts'

/** Names of those who are members of the group. */
export async function memberNames(
  db: Queries,
  groupId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from links.members
    where group_id = ${groupId} and id = any(${ids.filter(isUuid)}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
