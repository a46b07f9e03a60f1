import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'
import type { Role, RunIdentity, RunMode, Scope } from '#kernel/auth'
import type { AccessTables } from './tables.ts'

type Db = Kysely<AccessTables>
export type ApiKeyRow = Omit<
  Selectable<AccessTables['access.api_keys']>,
  | 'key_hash'
  | 'previous_hash'
  | 'parent_id'
  | 'run_id'
  | 'run_agent_id'
  | 'run_mode'
  | 'run_agent_version'
  | 'run_request'
>

const columns = [
  ...(['id', 'group_id', 'created_by', 'name', 'key_prefix', 'key_suffix', 'scopes'] as const),
  ...(['provider_key_overrides', 'expires_at', 'last_used_at', 'revoked_at', 'created_at'] as const),
  ...(['previous_valid_until', 'allowed_models', 'allowed_addresses'] as const),
] as const

/** Everything that checking a key needs, in one row. */
export interface ResolvedKeyRow {
  id: string
  name: string
  group_id: string
  group_name: string
  created_by: string | null
  creator_name: string | null
  creator_email: string | null
  role: Role | null
  scopes: Scope[]
  provider_key_overrides: Record<string, string>
  expires_at: Date | null
  revoked_at: Date | null
  /** Those of the key and of all keys above it. */
  model_lists: string[][]
  address_lists: string[][]
  run_id: string | null
  run_agent_id: string | null
  run_mode: RunMode | null
  run_agent_version: number | null
  run_request: string | null
}

/** A key made with a key has at most what all of those above it have; the value before a rotation ends with its overlap. */
export async function findByHash(db: Db, hash: Buffer): Promise<ResolvedKeyRow | undefined> {
  const { rows } = await sql<KeyInLine>`
    with recursive line as (
      select k.*, 0 as depth, case when k.previous_hash = ${hash} then k.previous_valid_until end as ends
      from access.api_keys k
      where k.key_hash = ${hash} or (k.previous_hash = ${hash} and k.previous_valid_until > now())
      union all
      select p.*, line.depth + 1, null from access.api_keys p join line on p.id = line.parent_id
    )
    select k.id, k.name, k.group_id, k.created_by, k.scopes, k.provider_key_overrides,
      least(k.expires_at, k.ends) as expires_at, k.revoked_at, k.allowed_models, k.allowed_addresses,
      k.run_id, k.run_agent_id, k.run_mode, k.run_agent_version, k.run_request, g.name as group_name, u.name as creator_name, u.email as creator_email, m.role
    from line k
    join access.groups g on g.id = k.group_id
    left join access.users u on u.id = k.created_by
    left join access.memberships m on m.group_id = k.group_id and m.user_id = k.created_by
    order by k.depth
  `.execute(db)
  const [own, ...above] = rows.map(withLists)
  return own && above.reduce(limitTo, own)
}

interface KeyInLine extends Omit<ResolvedKeyRow, 'model_lists' | 'address_lists'> {
  allowed_models: string[] | null
  allowed_addresses: string[] | null
}

const withLists = ({
  allowed_models: models,
  allowed_addresses: networks,
  ...key
}: KeyInLine): ResolvedKeyRow => ({
  ...key,
  model_lists: models ? [models] : [],
  address_lists: networks ? [networks] : [],
})

function limitTo(key: ResolvedKeyRow, above: ResolvedKeyRow): ResolvedKeyRow {
  return {
    ...key,
    scopes: key.scopes.filter((scope) => above.scopes.includes(scope) || isOfItsRun(key, scope)),
    provider_key_overrides: { ...key.provider_key_overrides, ...above.provider_key_overrides },
    expires_at: earlier(key.expires_at, above.expires_at),
    revoked_at: key.revoked_at ?? above.revoked_at,
    model_lists: [...key.model_lists, ...above.model_lists],
    // A run works on this server, wherever it was asked for.
    address_lists: key.run_id === null ? [...key.address_lists, ...above.address_lists] : [],
  }
}

/** Permission to ask an agent includes the model calls of that agent. */
const isOfItsRun = (key: ResolvedKeyRow, scope: Scope): boolean => key.run_id !== null && scope === 'gateway'

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

export interface NewKey {
  groupId: string
  createdBy: string | null
  parentId: string | null
  name: string
  hash: Buffer
  prefix: string
  suffix: string
  scopes: Scope[]
  overrides: Record<string, string>
  expiresAt: Date | null
  allowedModels?: string[] | null
  allowedAddresses?: string[] | null
  run?: RunIdentity
}

export async function insertKey(db: Db, key: NewKey): Promise<ApiKeyRow> {
  return db.insertInto('access.api_keys').values(valuesOf(key)).returning(columns).executeTakeFirstOrThrow()
}

/** Undefined where there is one with this value already. */
export async function insertKeyOnce(db: Db, key: NewKey): Promise<ApiKeyRow | undefined> {
  return db
    .insertInto('access.api_keys')
    .values(valuesOf(key))
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

const valuesOf = (key: NewKey): Insertable<AccessTables['access.api_keys']> => ({
  group_id: key.groupId,
  created_by: key.createdBy,
  parent_id: key.parentId,
  name: key.name,
  key_hash: key.hash,
  key_prefix: key.prefix,
  key_suffix: key.suffix,
  scopes: key.scopes,
  provider_key_overrides: JSON.stringify(key.overrides),
  expires_at: key.expiresAt,
  allowed_models: key.allowedModels ?? null,
  allowed_addresses: key.allowedAddresses ?? null,
  last_used_at: null,
  revoked_at: null,
  run_id: key.run?.id ?? null,
  run_agent_id: key.run?.agentId ?? null,
  run_mode: key.run?.mode ?? null,
  run_agent_version: key.run?.agentVersion ?? null,
  run_request: key.run?.request ?? null,
})

/** Without those of runs, which nobody manages. */
export async function listKeys(db: Db, groupId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('access.api_keys')
    .select(columns)
    .where('group_id', '=', groupId)
    .where('run_id', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
}

export async function keyNames(db: Db, groupId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('access.api_keys')
    .select(['id', 'name'])
    .where('group_id', '=', groupId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The keys that a person made in a group, revoked ones too. */
export async function keysOfPerson(db: Db, groupId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('access.api_keys')
    .select('id')
    .where('group_id', '=', groupId)
    .where('created_by', '=', userId)
    .execute()
  return rows.map(({ id }) => id)
}

/** The agents whose runs keys belong to, by the ID of the key. */
export async function runKeyAgents(db: Db, groupId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('access.api_keys')
    .select(['id', 'run_agent_id'])
    .where('group_id', '=', groupId)
    .where('run_agent_id', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, run_agent_id: agentId }) => [id, agentId ?? '']))
}

/** The people who made keys, by the ID of the key. */
export async function keyPeople(
  db: Db,
  groupId: string,
): Promise<ReadonlyMap<string, { id: string; name: string }>> {
  const rows = await db
    .selectFrom('access.api_keys as k')
    .innerJoin('access.users as u', 'u.id', 'k.created_by')
    .select(['k.id', 'u.id as userId', 'u.name'])
    .where('k.group_id', '=', groupId)
    .execute()
  return new Map(rows.map(({ id, userId, name }) => [id, { id: userId, name }]))
}

export async function findKey(db: Db, groupIds: string[], id: string): Promise<ApiKeyRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('access.api_keys')
    .select(columns)
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
    .where('run_id', 'is', null)
    .executeTakeFirst()
}

export async function findAnyKey(db: Db, id: string): Promise<ApiKeyRow | undefined> {
  return db.selectFrom('access.api_keys').select(columns).where('id', '=', id).executeTakeFirst()
}

export interface KeyChange {
  name?: string | undefined
  scopes?: Scope[] | undefined
  provider_key_overrides?: Record<string, string> | undefined
  expires_at?: Date | null | undefined
  allowed_models?: string[] | null | undefined
  allowed_addresses?: string[] | null | undefined
}

export async function updateKey(db: Db, id: string, change: KeyChange): Promise<ApiKeyRow> {
  const { provider_key_overrides: overrides, ...rest } = change
  const isEmpty = Object.values(change).every((value) => value === undefined)
  if (isEmpty)
    return db.selectFrom('access.api_keys').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
  return db
    .updateTable('access.api_keys')
    .set({ ...rest, ...(overrides && { provider_key_overrides: JSON.stringify(overrides) }) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Undefined where it was revoked meanwhile. Without `until` the value that it had ends at once. */
export async function rotateKey(
  db: Db,
  id: string,
  { hash, prefix, suffix }: Pick<NewKey, 'hash' | 'prefix' | 'suffix'>,
  until: Date | null,
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('access.api_keys')
    .set(({ ref }) => ({
      previous_hash: until ? ref('key_hash') : null,
      previous_valid_until: until,
      key_hash: hash,
      key_prefix: prefix,
      key_suffix: suffix,
    }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

/** Revokes the key and those made with it. */
export async function revokeKey(db: Db, id: string): Promise<void> {
  await sql`
    with recursive line as (
      select ${id}::uuid as id
      union
      select k.id from access.api_keys k join line on k.parent_id = line.id
    )
    update access.api_keys set revoked_at = now() where id in (select id from line) and revoked_at is null
  `.execute(db)
}

/** Keys of runs that ended so long ago. Entries of the usage log keep their IDs. */
export async function deleteOldRunKeys(db: Db, days: number): Promise<void> {
  await sql`
    delete from access.api_keys
    where run_id is not null and least(revoked_at, expires_at) < now() - make_interval(days => ${days})
  `.execute(db)
}

/** A key never outlives its creator's membership. */
export async function revokeKeysOf(db: Db, groupId: string, userId: string): Promise<void> {
  await db
    .updateTable('access.api_keys')
    .set({ revoked_at: new Date() })
    .where('group_id', '=', groupId)
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function saveLastUsed(db: Db, used: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...used.keys()]
  const times = [...used.values()].map((time) => new Date(time).toISOString())
  await sql`
    update access.api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as u (id, at) where k.id = u.id
  `.execute(db)
}
