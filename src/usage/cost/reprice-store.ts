import { sql, type Kysely, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { lowestId } from '#kernel/uuid'
import type { LedgerAttempt, UsageTables } from '../tables.ts'

type Db = Kysely<UsageTables>

const columns = [
  'id',
  'group_id',
  'api_key_id',
  'price_id',
  'started_at',
  'provider',
  'model',
  'status_code',
  'usage_source',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'cache_write_long_tokens',
  'reasoning_tokens',
  'audio_input_tokens',
  'audio_output_tokens',
  'units',
  'input_cost',
  'output_cost',
  'attempts',
] as const

export type PricedRow = Pick<Selectable<UsageTables['usage.usage_logs']>, (typeof columns)[number]>

export interface Period {
  from: Date
  /** The first moment that is not in it. */
  to: Date
}

/** The groups that had requests in the period; the sums know. */
export async function groupsWithRequests(db: Db, { from, to }: Period): Promise<string[]> {
  const rows = await db
    .selectFrom('usage.hourly')
    .select('group_id')
    .distinct()
    .where('hour', '>', new Date(from.getTime() - 3_600_000))
    .where('hour', '<', to)
    .orderBy('group_id')
    .execute()
  return rows.map((row) => row.group_id)
}

/** The next rows of a group after the given id, oldest first; to be changed, they are held until the transaction ends. */
export async function nextRows(
  db: Db,
  of: Period & { groupId: string; model: string | undefined; after: string | undefined },
  isForChange: boolean,
  limit: number,
): Promise<PricedRow[]> {
  return db
    .selectFrom('usage.usage_logs')
    .select(columns)
    .where('group_id', '=', of.groupId)
    .where('id', of.after === undefined ? '>=' : '>', of.after ?? lowestId(of.from))
    .where('id', '<', lowestId(of.to))
    .$if(of.model !== undefined, (query) => query.where(hasModel(of.model ?? '')))
    .orderBy('id')
    .limit(limit)
    .$if(isForChange, (query) => query.forUpdate())
    .execute()
}

/** Requests that the model answered, or was asked for before another one did. */
const hasModel = (model: string): RawBuilder<SqlBool> =>
  sql`(model = ${model} or attempts @> ${JSON.stringify([{ model }])}::jsonb)`

export interface NewCost {
  id: string
  price_id: string | null
  input_cost: string
  output_cost: string
  attempts: readonly LedgerAttempt[] | null
}

export async function writeCosts(db: Db, groupId: string, costs: readonly NewCost[]): Promise<void> {
  const ids = costs.map(({ id }) => id).toSorted()
  // The bounds let PostgreSQL look into the tables of these days only.
  await sql`
    update usage.usage_logs as log
    set price_id = given.price_id, input_cost = given.input_cost, output_cost = given.output_cost,
      attempts = given.attempts
    from jsonb_to_recordset(${JSON.stringify(costs)}::jsonb)
      as given(id uuid, price_id uuid, input_cost numeric, output_cost numeric, attempts jsonb)
    where log.group_id = ${groupId} and log.id = given.id
      and log.id >= ${ids[0] ?? null}::uuid and log.id <= ${ids.at(-1) ?? null}::uuid`.execute(db)
}

export interface SumChange {
  group_id: string
  hour: string
  api_key_id: string | null
  provider: string | null
  model: string
  is_error: boolean
  /** How many requests have a price that had none. */
  newly_priced: number
  input_cost: string
  output_cost: string
}

/** Adds the differences to the sums. Locked in the order of their key first, as all writers do. */
export async function changeSums(db: Db, changes: readonly SumChange[]): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as given(group_id uuid, hour timestamptz,
    api_key_id uuid, provider text, model text, is_error boolean, newly_priced bigint, input_cost numeric,
    output_cost numeric)`
  const isItsHour = sql`hourly.group_id = given.group_id and hourly.hour = given.hour
    and hourly.model = given.model and hourly.is_error = given.is_error
    and hourly.api_key_id is not distinct from given.api_key_id
    and hourly.provider is not distinct from given.provider`
  await sql`
    select 1 from usage.hourly as hourly join ${given} on ${isItsHour}
    order by hourly.group_id, hourly.hour, hourly.api_key_id, hourly.provider, hourly.model, hourly.is_error
    for update of hourly`.execute(db)
  await sql`
    update usage.hourly as hourly set
      input_cost = coalesce(hourly.input_cost, 0) + given.input_cost,
      output_cost = coalesce(hourly.output_cost, 0) + given.output_cost,
      unpriced_requests = hourly.unpriced_requests - given.newly_priced
    from ${given} where ${isItsHour}`.execute(db)
}
