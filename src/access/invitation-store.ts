import type { Kysely, Selectable } from 'kysely'
import type { Role } from '#kernel/auth'
import type { AccessTables } from './tables.ts'

type Db = Kysely<AccessTables>

const columns = ['id', 'group_id', 'role', 'email', 'expires_at', 'created_at'] as const
export type InvitationRow = Pick<Selectable<AccessTables['access.invitations']>, (typeof columns)[number]>

export interface NewInvitation {
  groupId: string
  role: Role
  email: string | null
  createdBy: string | null
  tokenHash: Buffer
  expiresAt: Date
}

export async function insertInvitation(db: Db, invitation: NewInvitation): Promise<InvitationRow> {
  return db
    .insertInto('access.invitations')
    .values({
      group_id: invitation.groupId,
      role: invitation.role,
      email: invitation.email,
      created_by: invitation.createdBy,
      token_hash: invitation.tokenHash,
      expires_at: invitation.expiresAt,
      used_at: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function listOpenInvitations(db: Db, groupId: string): Promise<InvitationRow[]> {
  return openInvitations(db)
    .select(columns)
    .where('group_id', '=', groupId)
    .orderBy('created_at', 'desc')
    .execute()
}

export async function findOpenInvitation(
  db: Db,
  tokenHash: Buffer,
): Promise<(InvitationRow & { group_name: string }) | undefined> {
  return db
    .selectFrom('access.invitations as i')
    .innerJoin('access.groups as g', 'g.id', 'i.group_id')
    .select([
      'i.id',
      'i.group_id',
      'i.role',
      'i.email',
      'i.expires_at',
      'i.created_at',
      'g.name as group_name',
    ])
    .where('i.token_hash', '=', tokenHash)
    .where('i.used_at', 'is', null)
    .where('i.expires_at', '>', new Date())
    .executeTakeFirst()
}

export async function openInvitationsFor(db: Db, email: string): Promise<InvitationRow[]> {
  return openInvitations(db).select(columns).where('email', '=', email.toLowerCase()).execute()
}

/** True for one caller only, even when two use the same link at the same time. */
export async function claimInvitation(db: Db, id: string): Promise<boolean> {
  const claimed = await db
    .updateTable('access.invitations')
    .set({ used_at: new Date() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

export async function deleteInvitation(db: Db, groupId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('access.invitations')
    .where('id', '=', id)
    .where('group_id', '=', groupId)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** A new first-owner link is created at every start until one is used; it replaces the old ones. */
export async function deleteFirstOwnerLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('access.invitations')
    .where('role', '=', 'owner')
    .where('created_by', 'is', null)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteExpired(db: Db): Promise<void> {
  const now = new Date()
  await db
    .deleteFrom('access.invitations')
    .where('used_at', 'is', null)
    .where('expires_at', '<', now)
    .execute()
  await db.deleteFrom('access.sessions').where('expires_at', '<', now).execute()
  await db.deleteFrom('access.password_attempts').where('expires_at', '<', now).execute()
  await db.deleteFrom('access.verifications').where('expires_at', '<', now).execute()
}

function openInvitations(db: Db) {
  return db.selectFrom('access.invitations').where('used_at', 'is', null).where('expires_at', '>', new Date())
}
