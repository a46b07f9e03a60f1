import { sql, type Kysely, type Selectable } from 'kysely'
import type { DeliveryStatus, HookKind } from './contract.ts'
import type { WebhookTables } from './tables.ts'

type Db = Kysely<WebhookTables>
type Row = Selectable<WebhookTables['webhooks.deliveries']>

export type NewDelivery = Pick<
  Row,
  'id' | 'hook_id' | 'group_id' | 'event' | 'external_id' | 'body_hash' | 'content_type' | 'body'
>

export interface TakenDelivery {
  id: string
  status: DeliveryStatus
  reason: string | null
  received_at: Date
  /** Of one that was processed before, and whose replay was cut off. */
  processed_at: Date | null
  /** False: it was delivered before, or another process is at it. */
  isMine: boolean
}

/** An attempt that has not ended by then was cut off. */
const attemptSeconds = 60

/** As long as a captured delivery can be sent again: its timestamp may be 5 minutes off, either way. */
const repetitionMinutes = 10

/**
 * Stores a delivery, or takes up one that came before without success. A body that says nothing about its time is the
 * same delivery only for some minutes.
 */
export async function takeDelivery(
  db: Db,
  delivery: NewDelivery,
  isTimeless: boolean,
): Promise<TakenDelivery> {
  const inserted =
    (await insertDelivery(db, delivery)) ?? (isTimeless ? await insertAfresh(db, delivery) : undefined)
  if (inserted) return { ...inserted, isMine: true }
  const { rows } = await sql<TakenDelivery>`
    with same as (
      select id, status, reason, received_at from webhooks.deliveries
      where hook_id = ${delivery.hook_id}
        and (body_hash = ${delivery.body_hash} or external_id = ${delivery.external_id})
      order by id limit 1
    ), taken as (
      update webhooks.deliveries d set status = 'pending', reason = null, attempts = attempts + 1, started_at = now(),
        processed_at = case when d.status = 'pending' then d.processed_at end
      from same where d.id = same.id and (
        d.status in ('ignored', 'failed')
        or d.status = 'pending' and d.started_at < now() - make_interval(secs => ${attemptSeconds})
      )
      returning d.id, d.processed_at
    )
    select same.id, same.status, same.reason, same.received_at, taken.processed_at, taken.id is not null as "isMine"
    from same left join taken on taken.id = same.id
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error('A delivery was deleted while it was delivered again')
  return found
}

/** Undefined: there is one with its ID or its body. */
async function insertDelivery(db: Db, delivery: NewDelivery) {
  return db
    .insertInto('webhooks.deliveries')
    .values({ ...delivery, status: 'pending', reason: null, processed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'status', 'reason', 'received_at', 'processed_at'])
    .executeTakeFirst()
}

/**
 * The earlier delivery of the body gives up its hash if it is old enough. Processes that do this at once wait for each
 * other at that row; the second finds the hash taken by the first.
 */
async function insertAfresh(db: Db, delivery: NewDelivery) {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql`
      update webhooks.deliveries set body_hash = sha256(body_hash || uuid_send(id))
      where hook_id = ${delivery.hook_id} and body_hash = ${delivery.body_hash}
        and received_at < now() - make_interval(mins => ${repetitionMinutes})
      returning id
    `.execute(transaction)
    return rows.length > 0 ? insertDelivery(transaction, delivery) : undefined
  })
}

/** Takes up any delivery, whatever became of it before; one that was processed keeps the time of that. */
export async function restartDelivery(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update webhooks.deliveries set status = 'pending', reason = null, attempts = attempts + 1, started_at = now(),
      processed_at = case when status in ('processed', 'pending') then processed_at end
    where id = ${id}
      and (status <> 'pending' or started_at < now() - make_interval(secs => ${attemptSeconds}))
    returning id
  `.execute(db)
  return rows.length > 0
}

const maxAttempts = 5

/** One delivery whose attempt was cut off, now the caller's to repeat. Its group too. */
export async function takeCutOff(db: Db): Promise<{ id: string; group_id: string } | undefined> {
  const { rows } = await sql<{ id: string; group_id: string }>`
    update webhooks.deliveries set attempts = attempts + 1, started_at = now()
    where id = (
      select id from webhooks.deliveries
      where status = 'pending' and started_at < now() - make_interval(secs => ${attemptSeconds})
        and attempts < ${maxAttempts}
      order by started_at limit 1 for update skip locked
    )
    returning id, group_id
  `.execute(db)
  return rows[0]
}

/** Deliveries that were accepted and are not turned into records yet. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks.deliveries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What cuts off every attempt, perhaps by ending the process, is not tried for ever. */
export async function failCutOff(db: Db): Promise<void> {
  await sql`
    update webhooks.deliveries set status = 'failed', processed_at = now(),
      reason = 'Processing was cut off too often. Replay the delivery once the cause is resolved.'
    where status = 'pending' and started_at < now() - make_interval(secs => ${attemptSeconds})
      and attempts >= ${maxAttempts}
  `.execute(db)
}

export async function finishDelivery(
  db: Db,
  id: string,
  status: Exclude<DeliveryStatus, 'pending'>,
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('webhooks.deliveries')
    .set({ status, reason, processed_at: new Date() })
    .where('id', '=', id)
    .execute()
}

export interface ListedDelivery extends Omit<Row, 'body' | 'body_hash' | 'started_at'> {
  kind: HookKind
  size_bytes: number
}

const listed = (db: Db) =>
  db
    .selectFrom('webhooks.deliveries as d')
    .innerJoin('webhooks.hooks as h', 'h.id', 'd.hook_id')
    .select([
      'd.id',
      'd.hook_id',
      'd.group_id',
      'h.kind',
      'd.event',
      'd.external_id',
      'd.content_type',
      'd.status',
      'd.reason',
      'd.attempts',
      'd.received_at',
      'd.processed_at',
      sql<number>`octet_length(d.body)`.as('size_bytes'),
    ])

export interface DeliveryQuery {
  groupId: string
  hookId: string | undefined
  status: DeliveryStatus | undefined
  /** Only those before this delivery. */
  before: string | undefined
  limit: number
}

/** Newest first; one more than the limit tells that there is another page. */
export async function listDeliveries(
  db: Db,
  { groupId, hookId, status, before, limit }: DeliveryQuery,
): Promise<ListedDelivery[]> {
  return listed(db)
    .where('d.group_id', '=', groupId)
    .$if(hookId !== undefined, (query) => query.where('d.hook_id', '=', hookId as string))
    .$if(status !== undefined, (query) => query.where('d.status', '=', status as DeliveryStatus))
    .$if(before !== undefined, (query) => query.where('d.id', '<', before as string))
    .orderBy('d.id', 'desc')
    .limit(limit + 1)
    .execute()
}

export interface StoredDelivery extends ListedDelivery {
  body: Buffer
  deploy_workflows: string[]
}

export async function findDelivery(
  db: Db,
  groupIds: string[],
  id: string,
): Promise<StoredDelivery | undefined> {
  if (groupIds.length === 0) return undefined
  return listed(db)
    .select(['d.body', 'h.deploy_workflows'])
    .where('d.id', '=', id)
    .where('d.group_id', 'in', groupIds)
    .executeTakeFirst()
}

/** In portions, so that no statement holds many rows for long. Says how many were deleted. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from webhooks.deliveries where id in (
      select id from webhooks.deliveries where received_at < ${before} order by received_at limit ${limit}
    ) returning id
  `.execute(db)
  return rows.length
}
