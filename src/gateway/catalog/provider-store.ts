import type { ColumnType, Kysely, Selectable } from 'kysely'
import type { DefaultUse } from '../contract.ts'
import type { OtherPrices } from '../provider.ts'
import type { RouteTarget, Strategy } from '../route-contract.ts'

export interface GatewayTables {
  'gateway.providers': ProviderTable
  'gateway.models': ModelTable
  'gateway.inactive_providers': InactiveProvider
  'gateway.model_syncs': ModelSyncTable
  'gateway.default_models': DefaultModelTable
  'gateway.stored_responses': StoredResponseTable
  'gateway.routes': RouteTable
}

/** A name of a group for one or more models. */
interface RouteTable {
  group_id: string
  name: string
  description: string
  strategy: Strategy
  targets: ColumnType<RouteTarget[], string, string>
  attempts: number | null
  timeout_ms: number | null
  first_token_timeout_ms: number | null
  created_at: ColumnType<Date, undefined, never>
  updated_at: ColumnType<Date, undefined, Date>
}

/** A response that its provider stores, and the API key that made it. */
interface StoredResponseTable {
  id: string
  group_id: string
  api_key_id: string
  provider_key_id: string | null
  model: string
  created_at: ColumnType<Date, undefined, never>
}

/** The model that a group chose for what has none of its own. */
interface DefaultModelTable {
  group_id: string
  use: DefaultUse
  model: string
  updated_at: ColumnType<Date, undefined, Date>
}

/** A built-in provider that a group turned off. */
export interface InactiveProvider {
  group_id: string
  provider_id: string
}

/** When a group's list of a provider was last fetched, and why that failed. */
interface ModelSyncTable {
  group_id: string
  provider_id: string
  tried_at: Date
  failure: string | null
}

interface ProviderTable {
  group_id: string
  id: string
  name: string
  base_url: string
  docs_url: string
  prefixes: string[]
  allow_private: boolean
  is_active: boolean
  created_at: ColumnType<Date, undefined, never>
}

/** Models that a synchronisation brought to a group, with their prices as the provider states them. */
interface ModelTable {
  group_id: string
  provider_id: string
  id: string
  name: string | null
  created: number | null
  context_length: number | null
  max_output: number | null
  input_price_per_1m: string | null
  output_price_per_1m: string | null
  cache_read_price_per_1m: string | null
  cache_write_price_per_1m: string | null
  request_price: string | null
  other_prices: ColumnType<OtherPrices | null, string | null, string | null>
  capabilities: string[]
  synced_at: Date
}

export type CustomProviderRow = Omit<Selectable<ProviderTable>, 'created_at'>

type Db = Kysely<GatewayTables>

const columns = [
  'group_id',
  'id',
  'name',
  'base_url',
  'docs_url',
  'prefixes',
  'allow_private',
  'is_active',
] as const

/** Those of one group, or of all. */
export async function listCustomProviders(db: Db, groupId?: string): Promise<CustomProviderRow[]> {
  const rows = db.selectFrom('gateway.providers').select(columns).orderBy('created_at')
  return (groupId === undefined ? rows : rows.where('group_id', '=', groupId)).execute()
}

export async function insertCustomProvider(db: Db, row: CustomProviderRow): Promise<void> {
  await db.insertInto('gateway.providers').values(row).execute()
}

export async function updateCustomProvider(db: Db, row: CustomProviderRow): Promise<void> {
  const { group_id: groupId, id, ...changed } = row
  await db
    .updateTable('gateway.providers')
    .set(changed)
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .execute()
}

export async function deleteCustomProvider(db: Db, groupId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('gateway.providers')
    .where('group_id', '=', groupId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function listInactiveProviders(db: Db): Promise<InactiveProvider[]> {
  return db.selectFrom('gateway.inactive_providers').selectAll().execute()
}

export async function insertInactiveProvider(db: Db, row: InactiveProvider): Promise<void> {
  await db
    .insertInto('gateway.inactive_providers')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteInactiveProvider(db: Db, row: InactiveProvider): Promise<void> {
  await db
    .deleteFrom('gateway.inactive_providers')
    .where('group_id', '=', row.group_id)
    .where('provider_id', '=', row.provider_id)
    .execute()
}
