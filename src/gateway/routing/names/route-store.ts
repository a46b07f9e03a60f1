import type { Kysely, Selectable } from 'kysely'
import type { GatewayTables } from '../../catalog/provider-store.ts'

type Db = Kysely<GatewayTables>
export type RouteRow = Omit<Selectable<GatewayTables['gateway.routes']>, 'group_id'>

const columns = [
  ...(['name', 'description', 'strategy', 'targets', 'attempts'] as const),
  ...(['timeout_ms', 'first_token_timeout_ms', 'created_at', 'updated_at'] as const),
]

export async function listRoutes(db: Db, groupId: string): Promise<RouteRow[]> {
  return db
    .selectFrom('gateway.routes')
    .select(columns)
    .where('group_id', '=', groupId)
    .orderBy('name')
    .execute()
}

export async function findRoute(db: Db, groupId: string, name: string): Promise<RouteRow | undefined> {
  return db
    .selectFrom('gateway.routes')
    .select(columns)
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function countRoutes(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('gateway.routes')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export type NewRoute = Omit<RouteRow, 'created_at' | 'updated_at'>

/** Undefined when the group has a route of this name. */
export async function insertRoute(db: Db, groupId: string, route: NewRoute): Promise<RouteRow | undefined> {
  return db
    .insertInto('gateway.routes')
    .values({ ...route, group_id: groupId, targets: JSON.stringify(route.targets) })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Undefined when it is no longer there. */
export async function updateRoute(
  db: Db,
  groupId: string,
  name: string,
  { targets, ...changed }: Partial<NewRoute>,
): Promise<RouteRow | undefined> {
  return db
    .updateTable('gateway.routes')
    .set({ ...changed, ...(targets && { targets: JSON.stringify(targets) }), updated_at: new Date() })
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .returning(columns)
    .executeTakeFirst()
}

export async function deleteRoute(db: Db, groupId: string, name: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('gateway.routes')
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .returning('name')
    .executeTakeFirst()
  return deleted !== undefined
}
