import { sql, type Kysely, type Selectable } from 'kysely'
import type { Role, Scope } from '#kernel/auth'
import type { AccessTables } from './tables.ts'

type Db = Kysely<AccessTables>
export type ApiKeyRow = Omit<Selectable<AccessTables['access.api_keys']>, 'key_hash'>

const columns = [
  ...(['id', 'group_id', 'created_by', 'name', 'key_prefix', 'key_suffix', 'scopes'] as const),
  ...(['provider_key_overrides', 'expires_at', 'last_used_at', 'revoked_at', 'created_at'] as const),
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
}

export async function findByHash(db: Db, hash: Buffer): Promise<ResolvedKeyRow | undefined> {
  return db
    .selectFrom('access.api_keys as k')
    .innerJoin('access.groups as g', 'g.id', 'k.group_id')
    .leftJoin('access.users as u', 'u.id', 'k.created_by')
    .leftJoin('access.memberships as m', (join) =>
      join.onRef('m.group_id', '=', 'k.group_id').onRef('m.user_id', '=', 'k.created_by'),
    )
    .select([
      'k.id',
      'k.name',
      'k.group_id',
      'k.created_by',
      'k.scopes',
      'k.provider_key_overrides',
      'k.expires_at',
      'k.revoked_at',
    ])
    .select(['g.name as group_name', 'u.name as creator_name', 'u.email as creator_email', 'm.role'])
    .where('k.key_hash', '=', hash)
    .executeTakeFirst()
}

export interface NewKey {
  groupId: string
  createdBy: string | null
  name: string
  hash: Buffer
  prefix: string
  suffix: string
  scopes: Scope[]
  overrides: Record<string, string>
  expiresAt: Date | null
}

export async function insertKey(db: Db, key: NewKey): Promise<ApiKeyRow> {
  return db
    .insertInto('access.api_keys')
    .values({
      group_id: key.groupId,
      created_by: key.createdBy,
      name: key.name,
      key_hash: key.hash,
      key_prefix: key.prefix,
      key_suffix: key.suffix,
      scopes: key.scopes,
      provider_key_overrides: JSON.stringify(key.overrides),
      expires_at: key.expiresAt,
      last_used_at: null,
      revoked_at: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function listKeys(db: Db, groupId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('access.api_keys')
    .select(columns)
    .where('group_id', '=', groupId)
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

export async function findKey(db: Db, groupIds: string[], id: string): Promise<ApiKeyRow | undefined> {
  if (groupIds.length === 0) return undefined
  return db
    .selectFrom('access.api_keys')
    .select(columns)
    .where('id', '=', id)
    .where('group_id', 'in', groupIds)
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
}

export async function updateKey(db: Db, id: string, change: KeyChange): Promise<ApiKeyRow> {
  const { provider_key_overrides: overrides, ...rest } = change
  return db
    .updateTable('access.api_keys')
    .set({ ...rest, ...(overrides && { provider_key_overrides: JSON.stringify(overrides) }) })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function revokeKey(db: Db, id: string): Promise<void> {
  await db
    .updateTable('access.api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
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
