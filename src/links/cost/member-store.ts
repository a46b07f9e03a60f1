import { sql } from 'kysely'
import type { Queries } from '../tables.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Names of those who are members of the group. */
export async function memberNames(
  db: Queries,
  groupId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from links.members
    where group_id = ${groupId} and id = any(${ids.filter((id) => uuid.test(id))}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
