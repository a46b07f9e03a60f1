import { sql, type Kysely, type Selectable } from 'kysely'
import type { VaultTables } from './tables.ts'

type Db = Kysely<VaultTables>
type Row = Selectable<VaultTables['vault.provider_keys']>
/** What may be shown of a key: everything but its sealed value. */
export type ProviderKeyRow = Omit<Row, 'encrypted_key'>

const columns = [
  ...(['id', 'provider_account_id', 'group_id', 'provider_id', 'user_id', 'name', 'key_suffix'] as const),
  ...(['is_default', 'is_active', 'weight', 'pooled'] as const),
  ...(['last_used_at', 'last_error', 'last_error_at', 'created_at'] as const),
] as const

export interface NewProviderKey {
  id: string
  provider_account_id: string
  group_id: string
  provider_id: string
  user_id: string | null
  encrypted_key: string
  name: string
  key_suffix: string
}

export async function insertKey(db: Db, key: NewProviderKey): Promise<ProviderKeyRow> {
  return db
    .insertInto('vault.provider_keys')
    .values({ ...key, last_used_at: null, last_error: null, last_error_at: null })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function listKeys(db: Db, groupId: string): Promise<ProviderKeyRow[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select(columns)
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Active keys that their provider refused with the last call. Other failures are not the fault of the key. */
export async function refusedKeys(db: Db, groupId: string): Promise<ProviderKeyRow[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select(columns)
    .where('group_id', '=', groupId)
    .where('is_active', '=', true)
    .where('last_error', 'like', '%refused the stored provider key%')
    .where(sql<boolean>`last_error_at >= coalesce(last_used_at, last_error_at)`)
    .orderBy('last_error_at')
    .limit(200)
    .execute()
}

export async function keyNames(db: Db, groupId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('vault.provider_keys')
    .select(['id', 'name'])
    .where('group_id', '=', groupId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function listKeysOfAccount(db: Db, accountId: string): Promise<ProviderKeyRow[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select(columns)
    .where('provider_account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** What choosing a key needs, in the order of choice. */
export type ChoosableRow = Pick<
  Row,
  | 'id'
  | 'provider_account_id'
  | 'provider_id'
  | 'name'
  | 'encrypted_key'
  | 'is_default'
  | 'is_active'
  | 'weight'
  | 'pooled'
>

export async function listChoosable(db: Db, groupId: string): Promise<ChoosableRow[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select([
      ...(['id', 'provider_account_id', 'provider_id', 'name'] as const),
      ...(['encrypted_key', 'is_default', 'is_active', 'weight', 'pooled'] as const),
    ])
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The groups that have an active key, with the providers. */
export async function listInUse(db: Db): Promise<{ groupId: string; providerId: string }[]> {
  return db
    .selectFrom('vault.provider_keys')
    .select(['group_id as groupId', 'provider_id as providerId'])
    .distinct()
    .where('is_active', '=', true)
    .orderBy('groupId')
    .orderBy('providerId')
    .execute()
}

export async function hasKeysFor(db: Db, groupId: string, providerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('vault.provider_keys')
    .select('id')
    .where('group_id', '=', groupId)
    .where('provider_id', '=', providerId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function findKey(db: Db, groupIds: string[], id: string): Promise<ProviderKeyRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('vault.provider_keys')
    .select(columns)
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .executeTakeFirst()
}

export async function sealedText(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('vault.provider_keys')
    .select('encrypted_key')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.encrypted_key
}

export async function setActive(db: Db, id: string, isActive: boolean): Promise<ProviderKeyRow | undefined> {
  return db
    .updateTable('vault.provider_keys')
    .set({ is_active: isActive })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

export interface KeyChange {
  name?: string | undefined
  weight?: number | undefined
  pooled?: boolean | undefined
  /** A new value, of which nothing is known yet. */
  replaced?: Pick<NewProviderKey, 'encrypted_key' | 'key_suffix'>
}

export async function updateKey(
  db: Db,
  id: string,
  { replaced, ...changed }: KeyChange,
): Promise<ProviderKeyRow | undefined> {
  return db
    .updateTable('vault.provider_keys')
    .set({
      ...changed,
      ...(replaced && { ...replaced, last_used_at: null, last_error: null, last_error_at: null }),
    })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

/** False when another request deleted it first. */
export async function deleteKey(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('vault.provider_keys')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** Makes one key the only default of its provider in the group; undefined if the key no longer exists. */
export async function setDefault(db: Db, key: ProviderKeyRow): Promise<ProviderKeyRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    // Two callers who set different defaults are serialised; rows are locked in the order of their ids, so that neither
    // they nor a rotation deadlock.
    await transaction
      .selectFrom('vault.provider_keys')
      .select('id')
      .where('group_id', '=', key.group_id)
      .where('provider_id', '=', key.provider_id)
      .orderBy('id')
      .forUpdate()
      .execute()
    await transaction
      .updateTable('vault.provider_keys')
      .set({ is_default: false })
      .where('group_id', '=', key.group_id)
      .where('provider_id', '=', key.provider_id)
      .where('is_default', '=', true)
      .where('id', '<>', key.id)
      .execute()
    return transaction
      .updateTable('vault.provider_keys')
      .set({ is_default: true })
      .where('id', '=', key.id)
      .returning(columns)
      .executeTakeFirst()
  })
}

export interface Outcome {
  at: Date
  error: string | null
}

/** Saves how calls with the keys ended; of several processes the latest one decides about the error. */
export async function saveOutcomes(db: Db, outcomes: ReadonlyMap<string, Outcome>): Promise<void> {
  const ids = [...outcomes.keys()]
  const times = [...outcomes.values()].map((outcome) => outcome.at.toISOString())
  const errors = [...outcomes.values()].map((outcome) => outcome.error)
  await sql`
    with held as (
      select id from vault.provider_keys where id = any (${ids}::uuid[]) order by id for no key update
    )
    update vault.provider_keys k set
      last_used_at = greatest(k.last_used_at, o.at),
      last_error = case when o.at >= coalesce(k.last_used_at, o.at) then o.error else k.last_error end,
      last_error_at = case
        when o.at < coalesce(k.last_used_at, o.at) then k.last_error_at
        when o.error is not null then o.at
      end
    from unnest(${ids}::uuid[], ${times}::timestamptz[], ${errors}::text[]) as o (id, at, error), held
    where k.id = o.id and held.id = k.id
  `.execute(db)
}
