import { sql, type Kysely } from 'kysely'
import type { RouteShare } from '../contract.ts'
import type { UsageTables } from '../tables.ts'

/** Beyond this the shares no longer change, and counting them all would keep the page waiting. */
const newest = 100_000

/** Who answered the requests that named a route, from an id on. */
export async function countByRoute(
  db: Kysely<UsageTables>,
  groupId: string,
  from: string,
): Promise<RouteShare[]> {
  const { rows } = await sql<RouteShare>`
    select route, provider, model, count(*)::int as requests
    from (
      select route, provider, model from usage.usage_logs
      where group_id = ${groupId} and id >= ${from} and route is not null
      order by id desc limit ${newest}
    ) as named
    group by route, provider, model order by route, requests desc, model`.execute(db)
  return rows
}
