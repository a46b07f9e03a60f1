import { sql, type Kysely } from 'kysely'
import { roles, type Membership, type Person, type Role } from '#kernel/auth'
import type { AccessTables } from './tables.ts'

type Db = Kysely<AccessTables>

export async function groupsOf(db: Db, userId: string): Promise<Membership[]> {
  return db
    .selectFrom('access.memberships as m')
    .innerJoin('access.groups as g', 'g.id', 'm.group_id')
    .select(['g.id', 'g.name', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('m.created_at')
    .orderBy('g.id')
    .execute()
}

export interface GroupRow {
  id: string
  name: string
  role: Role
  time_zone: string | null
  members: number
  created_at: Date
}

export async function listGroups(db: Db, memberships: readonly Membership[]): Promise<GroupRow[]> {
  const roles = new Map(memberships.map((group) => [group.id, group.role]))
  if (roles.size === 0) return []
  const rows = await db
    .selectFrom('access.groups as g')
    .select((eb) => [
      ...(['g.id', 'g.name', 'g.time_zone', 'g.created_at'] as const),
      eb
        .selectFrom('access.memberships as m')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('m.group_id', '=', 'g.id')
        .as('members'),
    ])
    .where('g.id', 'in', [...roles.keys()])
    .orderBy('g.created_at')
    .execute()
  return rows.map((row) => ({ ...row, members: row.members ?? 0, role: roles.get(row.id) ?? 'viewer' }))
}

/** The time zones of these groups, by the group's ID; those without one are left out. */
export async function timeZonesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('access.groups')
    .select(['id', 'time_zone'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.flatMap(({ id, time_zone }) => (time_zone === null ? [] : [[id, time_zone] as const])))
}

export async function firstGroup(db: Db): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('access.groups')
    .select(['id', 'name'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function findGroup(db: Db, id: string): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('access.groups')
    .select(['id', 'name'])
    .where(sql<string>`id::text`, '=', id)
    .executeTakeFirst()
}

export async function insertGroup(
  db: Db,
  values: { name: string; time_zone: string | null },
): Promise<{ id: string; name: string; time_zone: string | null; created_at: Date }> {
  return db
    .insertInto('access.groups')
    .values(values)
    .returning(['id', 'name', 'time_zone', 'created_at'])
    .executeTakeFirstOrThrow()
}

/** False: the group was deleted meanwhile. */
export async function changeGroup(
  db: Db,
  id: string,
  change: { name?: string | undefined; time_zone?: string | null | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('access.groups')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteGroup(db: Db, id: string): Promise<void> {
  await db.deleteFrom('access.groups').where('id', '=', id).execute()
}

/** Keeps the group from being deleted until the transaction ends. False: it was deleted. */
export async function keepGroup(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('access.groups')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

export interface MemberRow {
  user_id: string
  name: string
  email: string
  role: Role
  joined_at: Date
}

export async function listMembers(db: Db, groupId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('access.memberships as m')
    .innerJoin('access.users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.name', 'u.email', 'm.role', 'm.created_at as joined_at'])
    .where('m.group_id', '=', groupId)
    .orderBy('m.created_at')
    .execute()
}

export async function putMember(db: Db, groupId: string, userId: string, role: Role): Promise<void> {
  await db
    .insertInto('access.memberships')
    .values({ group_id: groupId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['group_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

/** A member keeps a higher role: a link never lowers one. */
export async function addMember(db: Db, groupId: string, userId: string, role: Role): Promise<void> {
  const lower = roles.slice(roles.indexOf(role) + 1)
  await db
    .insertInto('access.memberships')
    .values({ group_id: groupId, user_id: userId, role })
    .onConflict((conflict) =>
      conflict
        .columns(['group_id', 'user_id'])
        .doUpdateSet({ role })
        .where((eb) => (lower.length > 0 ? eb('access.memberships.role', 'in', lower) : eb.lit(false))),
    )
    .execute()
}

export async function removeMember(db: Db, groupId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('access.memberships')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .execute()
  await db
    .insertInto('access.departures')
    .values({ group_id: groupId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether they left it, or were removed from it. */
export async function hasLeft(db: Db, groupId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('access.departures')
    .select('user_id')
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the group's memberships, so that two owners cannot remove each other at the same moment. */
export async function lockMembers(db: Db, groupId: string): Promise<{ user_id: string; role: Role }[]> {
  return db
    .selectFrom('access.memberships')
    .select(['user_id', 'role'])
    .where('group_id', '=', groupId)
    .forUpdate()
    .execute()
}

/** The person whom an issuer knows by this ID. */
export async function findUserByAccount(
  db: Db,
  providerId: string,
  accountId: string,
): Promise<Person | undefined> {
  return db
    .selectFrom('access.accounts as a')
    .innerJoin('access.users as u', 'u.id', 'a.user_id')
    .select(['u.id', 'u.name', 'u.email'])
    .where('a.provider_id', '=', providerId)
    .where('a.account_id', '=', accountId)
    .executeTakeFirst()
}

export async function findUserByEmail(db: Db, email: string): Promise<Person | undefined> {
  return db
    .selectFrom('access.users')
    .select(['id', 'name', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function findUser(db: Db, id: string): Promise<Person | undefined> {
  return db.selectFrom('access.users').select(['id', 'name', 'email']).where('id', '=', id).executeTakeFirst()
}

export async function listUsers(db: Db): Promise<Person[]> {
  return db.selectFrom('access.users').select(['id', 'name', 'email']).orderBy('created_at').execute()
}

export async function insertUser(db: Db, person: Person): Promise<void> {
  await db
    .insertInto('access.users')
    .values(person)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function countAdmins(db: Db, groupId: string): Promise<number> {
  const row = await db
    .selectFrom('access.memberships')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('group_id', '=', groupId)
    .where('role', 'in', ['admin', 'owner'])
    .executeTakeFirstOrThrow()
  return row.n
}

/** Owners who can sign in; the local owner has no password. */
export async function countOwnersWhoCanSignIn(db: Db): Promise<number> {
  const row = await db
    .selectFrom('access.memberships as m')
    .innerJoin('access.accounts as a', 'a.user_id', 'm.user_id')
    .select(sql<number>`count(distinct m.user_id)::int`.as('n'))
    .where('m.role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return row.n
}
