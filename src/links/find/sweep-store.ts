import { sql, type RawBuilder } from 'kysely'
import type { ThingType } from '../shapes/thing.ts'
import type { Queries } from '../tables.ts'
import { viewsOfThings } from '../things/thing-store.ts'

/** Links that were found, in the order of their IDs. */
export async function foundLinks(
  db: Queries,
  after: string,
  limit: number,
): Promise<{ id: string; from_type: ThingType; from_id: string; to_type: ThingType; to_id: string }[]> {
  return db
    .selectFrom('links.links')
    .select(['id', 'from_type', 'from_id', 'to_type', 'to_id'])
    .where('how', '<>', 'person')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Sessions whose first prompt has an address and that are linked to no ticket by it, in the order of their IDs. */
export async function sessionsWithAddresses(
  db: Queries,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from links.sessions s
    where s.id > ${after}::uuid and s.first_prompt like '%://%' and not exists (
      select from links.links l where l.from_type = 'session' and l.from_id = s.id::text and l.to_type = 'ticket'
        and l.how = 'exact')
    order by s.id limit ${limit}`.execute(db)
  return rows
}

/** Links of people whose other things are found by no rule. Commits and pull requests live elsewhere and stay. */
export async function deleteLinksToNothing(db: Queries): Promise<void> {
  await sql`
    delete from links.links l
    where l.how = 'person' and (${isGone('from')} or ${isGone('to')})`.execute(db)
}

function isGone(side: 'from' | 'to'): RawBuilder<boolean> {
  const [type, id] = [sql.ref(`l.${side}_type`), sql.ref(`l.${side}_id`)]
  const gone = (name: ThingType, view: string, uuid: RawBuilder<unknown>) => sql`(${type} = ${sql.lit(name)}
      and not exists (select from ${sql.table(`links.${view}`)} t where t.group_id = l.group_id and t.id = ${uuid}))`
  return sql<boolean>`${sql.join(
    [
      ...viewsOfThings.map(([name, view]) => gone(name, view, sql`links.uuid_in(${id})`)),
      gone('request', 'requests', sql`case ${type} when 'request' then substring(${id} from 5)::uuid end`),
    ],
    sql` or `,
  )}`
}
