import { sql } from 'kysely'
import type { Queries } from '../tables.ts'

/** A session with the one at the top of its tree, and the ID that its requests carry unless another session has it. */
export interface Member {
  root: string
  id: string
  key: string | null
}

/** Deeper than assistants nest; sessions that name each other as parents end here too. */
const maxDepth = 20

/** The trees that the sessions are in, each session once. */
export async function treesOf(db: Queries, groupId: string, ids: readonly string[]): Promise<Member[]> {
  const parent = sql`p.group_id = ${groupId} and p.assistant = u.assistant and p.external_id = u.parent_key`
  const { rows } = await sql<Member>`
    with recursive up as (
      select id as start, id, assistant, parent_key, 0 as depth from links.sessions
      where group_id = ${groupId} and id = any(${ids}::uuid[])
      union all
      select u.start, p.id, p.assistant, p.parent_key, u.depth + 1
      from up u join links.sessions p on ${parent} and p.id <> u.id
      where u.depth < ${sql.lit(maxDepth)}
    ), tops as (
      select distinct on (start) id from up order by start, depth desc
    ), down as (
      select id as root, id, assistant, external_id from links.sessions where id in (select id from tops)
      union
      select d.root, s.id, s.assistant, s.external_id
      from down d join links.sessions s
        on s.group_id = ${groupId} and s.assistant = d.assistant and s.parent_key = d.external_id
    )
    select distinct on (d.id) d.root, d.id,
      case when not exists (
        select from links.sessions o where o.group_id = ${groupId} and o.external_id = d.external_id and o.id < d.id
      ) then d.external_id end as key
    from down d order by d.id, d.root`.execute(db)
  return rows
}

/** The sessions by the group that has them. */
export async function groupsOfSessions(db: Queries, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ group_id: string; ids: string[] }>`
    select group_id, array_agg(id::text) as ids from links.sessions where id = any(${ids}::uuid[]) group by 1`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.group_id, row.ids]))
}
