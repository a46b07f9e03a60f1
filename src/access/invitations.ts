import type { Kysely } from 'kysely'
import { requireRole, type Membership, type Person, type Principal, type Role } from '#kernel/auth'
import { Fault, faults, invalid, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { checkInvitedRole } from './groups.ts'
import { addMember, groupsOf, hasLeft, keepGroup } from './group-store.ts'
import * as store from './invitation-store.ts'
import type { People } from './people.ts'
import type { AccessTables } from './tables.ts'
import { hashToken, newLinkToken } from './token.ts'

const lifetimeMs = 7 * 24 * 3600 * 1000

export interface Acceptance {
  token: string
  name: string
  email: string
  password: string
}

/** One-time links for joining a group; the first owner uses one too. */
export function createInvitations(db: Kysely<AccessTables>, events: Events, people: People) {
  async function make(groupId: string, role: Role, email: string | null, createdBy: string | null) {
    const token = newLinkToken()
    const row = await store.insertInvitation(db, {
      groupId,
      role,
      email,
      createdBy,
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + lifetimeMs),
    })
    return { row, token }
  }

  async function findOpen(token: string) {
    const invitation = await store.findOpenInvitation(db, hashToken(token))
    if (!invitation)
      throw new Fault(faults.notFound, 'This link was already used or is no longer valid. Ask for a new one.')
    return invitation
  }

  /** False: another request has used it. */
  async function join(invitation: store.InvitationRow, user: Person): Promise<boolean> {
    const isMine = await db.transaction().execute(async (transaction) => {
      if (!(await keepGroup(transaction, invitation.group_id))) throw notFound('The group')
      if (!(await store.claimInvitation(transaction, invitation.id))) return false
      await addMember(transaction, invitation.group_id, user.id, invitation.role)
      return true
    })
    if (!isMine) return false
    events.emit('member.joined', {
      groupId: invitation.group_id,
      by: user.id,
      email: user.email,
      role: invitation.role,
    })
    return true
  }

  return {
    async invite(principal: Principal, group: Membership, role: Role, email: string | null) {
      checkInvitedRole(group, role)
      const made = await make(group.id, role, email, principal.user?.id ?? null)
      events.emit('member.invited', { groupId: group.id, by: principal.user?.id ?? null, email, role })
      return made
    },

    /** For the first start and the command line, where there is no user. */
    inviteForSystem: make,

    async firstOwnerLink(groupId: string): Promise<string> {
      await store.deleteFirstOwnerLinks(db)
      return (await make(groupId, 'owner', null, null)).token
    },

    async list(group: Membership) {
      requireRole(group, 'owner', 'admin')
      return store.listOpenInvitations(db, group.id)
    },

    async withdraw(group: Membership, id: string): Promise<void> {
      checkInvitedRole(group, 'viewer')
      if (!(await store.deleteInvitation(db, group.id, id))) throw notFound('The invitation')
    },

    look: findOpen,

    /** Creates the user, or checks the password of an existing one, and adds them to the group. */
    async accept(acceptance: Acceptance): Promise<void> {
      const invitation = await findOpen(acceptance.token)
      if (invitation.email && invitation.email !== acceptance.email) {
        throw invalid('This invitation is for another email address.', 'email')
      }
      const { person, isNew } = await people.createOrVerify(acceptance)
      try {
        if (!(await join(invitation, person)))
          throw new Fault(faults.conflict, 'This link was already used. Ask for a new one.')
      } catch (error) {
        if (isNew) await people.remove(person.id)
        throw error
      }
    },

    /**
     * A user of single sign-on joins the groups that their verified address was invited to. The first page of a browser
     * sends several requests, of which one joins and the others find it done.
     */
    async joinByEmail(
      user: Person,
      autoJoin: { groupId: string; role: Role } | undefined,
    ): Promise<Membership[]> {
      for (const invitation of await store.openInvitationsFor(db, user.email)) await join(invitation, user)
      const groups = await groupsOf(db, user.id)
      // Otherwise leaving would give back a higher role, and a removal would last until the next request.
      if (groups.length > 0 || !autoJoin || (await hasLeft(db, autoJoin.groupId, user.id))) return groups
      await addMember(db, autoJoin.groupId, user.id, autoJoin.role)
      events.emit('member.joined', {
        groupId: autoJoin.groupId,
        by: user.id,
        email: user.email,
        role: autoJoin.role,
      })
      return groupsOf(db, user.id)
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>
