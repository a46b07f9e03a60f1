import { sql, type Kysely, type Selectable } from 'kysely'
import type { DeliveryStatus, HookKind } from './contract.ts'
import type { WebhookTables } from './tables.ts'

type Db = Kysely<WebhookTables>
export type HookRow = Selectable<WebhookTables['webhooks.hooks']>
export type ListedHook = HookRow & { last_delivery_at: Date | null; last_status: DeliveryStatus | null }

const maxListed = 500

export async function insertHook(
  db: Db,
  hook: Pick<HookRow, 'id' | 'group_id' | 'kind' | 'name' | 'secret_id' | 'deploy_workflows' | 'created_by'>,
): Promise<HookRow> {
  return db.insertInto('webhooks.hooks').values(hook).returningAll().executeTakeFirstOrThrow()
}

export async function countHooks(db: Db, groupId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks.hooks')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listHooks(db: Db, groupId: string): Promise<ListedHook[]> {
  const { rows } = await sql<ListedHook>`
    select h.*, d.received_at as last_delivery_at, d.status as last_status
    from webhooks.hooks h
    left join lateral (
      select received_at, status from webhooks.deliveries where hook_id = h.id order by id desc limit 1
    ) d on true
    where h.group_id = ${groupId}
    order by h.created_at, h.id limit ${maxListed}
  `.execute(db)
  return rows
}

export async function findHook(db: Db, groupIds: string[], id: string): Promise<HookRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('webhooks.hooks')
    .selectAll()
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

export interface HookUpdate {
  name?: string | undefined
  secret_id?: string | undefined
  is_active?: boolean | undefined
  deploy_workflows?: string[] | undefined
}

export async function updateHook(db: Db, id: string, change: HookUpdate): Promise<HookRow | undefined> {
  return db
    .updateTable('webhooks.hooks')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function activeHook(db: Db, kind: HookKind, id: string): Promise<HookRow | undefined> {
  return db
    .selectFrom('webhooks.hooks')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('is_active', '=', true)
    .executeTakeFirst()
}

/** The oldest of each group come first, so that no group takes all the places. */
export async function activeHooks(db: Db, kind: HookKind, limit: number): Promise<HookRow[]> {
  const { rows } = await sql<HookRow>`
    select * from (
      select h.*, row_number() over (partition by group_id order by created_at, id) as place
      from webhooks.hooks h where kind = ${kind} and is_active
    ) ranked order by place, created_at, id limit ${limit}
  `.execute(db)
  return rows
}
