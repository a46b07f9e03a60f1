import type { Kysely } from 'kysely'
import { requireRole, type Membership, type Principal, type Role } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { lockUntilCommit } from '#kernel/db'
import { Fault, faults, invalid, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { revokeKeysOf } from './api-key-store.ts'
import * as store from './group-store.ts'
import type { AccessTables } from './tables.ts'

interface NewGroup {
  name: string
  /** Null: everybody sees the times of their own clock. */
  time_zone?: string | null | undefined
}

type GroupChange = { [Name in keyof NewGroup]?: NewGroup[Name] | undefined }

/** Groups and their members. A group the caller is not a member of returns 404, not 403. */
export function createGroups(db: Kysely<AccessTables>, events: Events, creators: Config['GROUP_CREATORS']) {
  function find(principal: Principal, id: string): Membership {
    const group = principal.groups.find((candidate) => candidate.id === id)
    if (!group) throw notFound('The group')
    return group
  }

  /** Changes one member under a lock, and refuses to leave a group without an owner. */
  async function changeMember(groupId: string, userId: string, role: Role | null): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const members = await store.lockMembers(transaction, groupId)
      if (!members.some((member) => member.user_id === userId)) throw notFound('The member')
      const ownersLeft = members.filter(
        (member) => member.role === 'owner' && (member.user_id !== userId || role === 'owner'),
      )
      if (ownersLeft.length === 0) {
        throw new Fault(
          faults.conflict,
          'A group must have at least one owner. Make someone else an owner first.',
        )
      }
      if (role) return store.putMember(transaction, groupId, userId, role)
      await store.removeMember(transaction, groupId, userId)
      await revokeKeysOf(transaction, groupId, userId)
    })
  }

  const actor = (principal: Principal, groupId: string) => ({ groupId, by: principal.user?.id ?? null })

  return {
    find,

    /** For the command line: the named group, or the first. */
    async forSystem(id: string | undefined): Promise<{ id: string; name: string }> {
      const group = id === undefined ? await store.firstGroup(db) : await store.findGroup(db, id)
      if (!group) throw notFound(id === undefined ? 'A group (start Signalbox once)' : `The group ${id}`)
      return group
    },

    /** Whether the dashboard offers it. */
    async mayCreate(principal: Principal): Promise<boolean> {
      if (principal.via === 'api_key' || !principal.user) return false
      return creators === 'everyone' || owns(principal, (await store.firstGroup(db))?.id)
    },

    list: (principal: Principal) => store.listGroups(db, principal.groups),

    async create(principal: Principal, { name, time_zone = null }: NewGroup): Promise<store.GroupRow> {
      const { user } = principal
      if (!user || principal.via === 'api_key')
        throw new Fault(
          faults.forbidden,
          'Only a signed-in user can create a group. Sign in to the dashboard.',
        )
      await checkMayCreate(principal)
      const row = await db.transaction().execute(async (transaction) => {
        const group = await store.insertGroup(transaction, { name, time_zone })
        await store.putMember(transaction, group.id, user.id, 'owner')
        return group
      })
      events.emit('group.created', { ...actor(principal, row.id), name })
      return { ...row, role: 'owner', members: 1 }
    },

    async change(principal: Principal, id: string, change: GroupChange): Promise<void> {
      const group = find(principal, id)
      requireRole(group, 'owner', 'admin')
      const { name, time_zone } = change
      if (name === undefined && time_zone === undefined)
        throw invalid('Give "name" or "time_zone": there is nothing to change.', 'name')
      if (!(await store.changeGroup(db, id, change))) throw notFound('The group')
      if (name !== undefined) events.emit('group.renamed', { ...actor(principal, id), name })
      if (time_zone !== undefined)
        events.emit('group.time_zone_changed', { ...actor(principal, id), timeZone: time_zone })
    },

    timeZones: (principal: Principal) =>
      store.timeZonesOf(
        db,
        principal.groups.map(({ id }) => id),
      ),

    async remove(principal: Principal, id: string): Promise<void> {
      const userId = principal.user?.id ?? ''
      const name = await db.transaction().execute(async (transaction) => {
        // One deletion at a time: two at once would each count the other's group as the one that is left.
        await lockUntilCommit(transaction, 'delete a group')
        const groups = await store.groupsOf(transaction, userId)
        const group = find({ ...principal, groups }, id)
        requireRole(group, 'owner')
        if (groups.length === 1)
          throw new Fault(
            faults.conflict,
            'This is your only group. Create another one before you delete it.',
          )
        await store.deleteGroup(transaction, id)
        return group.name
      })
      events.emit('group.deleted', { ...actor(principal, id), name })
    },

    members(principal: Principal, id: string) {
      find(principal, id)
      return store.listMembers(db, id)
    },

    async setRole(principal: Principal, id: string, userId: string, role: Role): Promise<void> {
      const group = find(principal, id)
      requireRole(group, 'owner', 'admin')
      await refuseAboveOwnRole(group, userId, role)
      await changeMember(id, userId, role)
      events.emit('member.role_changed', { ...actor(principal, id), memberId: userId, role })
    },

    async removeMember(principal: Principal, id: string, userId: string): Promise<void> {
      const group = find(principal, id)
      const isLeaving = principal.user?.id === userId && principal.via !== 'api_key'
      if (!isLeaving) {
        requireRole(group, 'owner', 'admin')
        await refuseAboveOwnRole(group, userId, 'viewer')
      }
      await changeMember(id, userId, null)
      events.emit('member.removed', { ...actor(principal, id), memberId: userId })
    },
  }

  /** Otherwise a person invited to look at one group could create any number of others. */
  async function checkMayCreate(principal: Principal): Promise<void> {
    if (creators === 'everyone') return
    const first = await store.firstGroup(db)
    if (owns(principal, first?.id)) return
    throw new Fault(
      faults.forbidden,
      `Only owners of ${first?.name ?? 'the first group'} can create groups. An operator can change that with GROUP_CREATORS=everyone.`,
    )
  }

  /** An admin can neither add owners nor change them. */
  async function refuseAboveOwnRole(group: Membership, userId: string, role: Role): Promise<void> {
    if (group.role === 'owner') return
    const member = (await store.listMembers(db, group.id)).find((candidate) => candidate.user_id === userId)
    if (role === 'owner' || member?.role === 'owner')
      throw new Fault(faults.forbidden, 'Only an owner can add or change owners.')
  }
}

export function checkInvitedRole(group: Membership, role: Role): void {
  requireRole(group, 'owner', 'admin')
  if (role === 'owner' && group.role !== 'owner') throw invalid('Only an owner can invite an owner.', 'role')
}

function owns(principal: Principal, groupId: string | undefined): boolean {
  return principal.groups.some(({ id, role }) => id === groupId && role === 'owner')
}
