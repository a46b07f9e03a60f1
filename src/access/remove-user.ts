import type { Kysely } from 'kysely'
import { Fault, faults, notFound } from '#kernel/errors'
import { revokeKeysOf } from './api-key-store.ts'
import { findUserByEmail, groupsOf, lockMembers } from './group-store.ts'
import type { People } from './people.ts'
import type { AccessTables } from './tables.ts'

/** Deletes a user and their keys, unless a group would be left without an owner. */
export async function removeUser(db: Kysely<AccessTables>, people: People, email: string): Promise<void> {
  const user = await findUserByEmail(db, email)
  if (!user) throw notFound(`A user ${email}`)
  await db.transaction().execute(async (transaction) => {
    for (const group of await groupsOf(transaction, user.id)) {
      const members = await lockMembers(transaction, group.id)
      const hasOtherOwner = members.some((member) => member.role === 'owner' && member.user_id !== user.id)
      if (group.role === 'owner' && !hasOtherOwner) {
        throw new Fault(
          faults.conflict,
          `${email} is the only owner of ${group.name}. Make someone else an owner first.`,
        )
      }
      await revokeKeysOf(transaction, group.id, user.id)
    }
  })
  await people.remove(user.id)
}
