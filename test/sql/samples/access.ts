import * as keys from '../../../src/access/api-key-store.ts'
import * as groups from '../../../src/access/group-store.ts'
import * as invitations from '../../../src/access/invitation-store.ts'
import * as sessions from '../../../src/access/session-store.ts'
import { createPasswordAttempts } from '../../../src/access/password-attempts.ts'
import type { AccessTables } from '../../../src/access/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const newKey = {
  groupId: id,
  createdBy: id,
  parentId: id,
  name: 'name',
  hash,
  prefix: 'sb',
  suffix: 'abcd',
  scopes: [],
  overrides: {},
  expiresAt: at,
}

export const access: Sample = async ({ tables, answer }) => {
  const db = tables<AccessTables>()
  await keys.findByHash(db, hash)
  await keys.insertKey(db, newKey)
  await keys.insertKeyOnce(db, newKey)
  await keys.listKeys(db, id)
  await keys.keyNames(db, id)
  await keys.keysOfPerson(db, id, id)
  await keys.runKeyAgents(db, id)
  await keys.keyPeople(db, id)
  await keys.findKey(db, [id], id)
  await keys.findAnyKey(db, id)
  await keys.updateKey(db, id, {
    name: 'name',
    scopes: [],
    provider_key_overrides: {},
    expires_at: at,
    allowed_models: [],
    allowed_addresses: null,
  })
  await keys.updateKey(db, id, {})
  await keys.rotateKey(db, id, { hash, prefix: 'sb', suffix: 'abcd' }, at)
  await keys.revokeKey(db, id)
  await keys.revokeKeysOf(db, id, id)
  await keys.deleteOldRunKeys(db, 90)
  await keys.saveLastUsed(db, new Map([[id, 0]]))

  await groups.groupsOf(db, id)
  await groups.listGroups(db, [{ id, name: 'name', role: 'owner' }])
  await groups.firstGroup(db)
  await groups.findGroup(db, id)
  await groups.insertGroup(db, { name: 'name', time_zone: 'UTC' })
  await groups.changeGroup(db, id, { name: 'name', time_zone: null })
  await groups.timeZonesOf(db, [id])
  await groups.deleteGroup(db, id)
  await groups.keepGroup(db, id)
  await groups.listMembers(db, id)
  await groups.putMember(db, id, id, 'viewer')
  await groups.addMember(db, id, id, 'admin')
  await groups.removeMember(db, id, id)
  await groups.hasLeft(db, id, id)
  await groups.lockMembers(db, id)
  await groups.findUserByEmail(db, 'email')
  await groups.findUser(db, id)
  await groups.findUserByAccount(db, 'oidc', 'sub')
  await groups.listUsers(db)
  await groups.insertUser(db, { id, name: 'name', email: 'email' })
  await groups.countOwnersWhoCanSignIn(db)
  await groups.countAdmins(db, id)

  await sessions.endPassword(db, id)

  await invitations.insertInvitation(db, {
    groupId: id,
    role: 'viewer',
    email: null,
    createdBy: id,
    tokenHash: hash,
    expiresAt: at,
  })
  await invitations.listOpenInvitations(db, id)
  await invitations.findOpenInvitation(db, hash)
  await invitations.openInvitationsFor(db, 'email')
  await invitations.claimInvitation(db, id)
  await invitations.deleteInvitation(db, id, id)
  await invitations.deleteFirstOwnerLinks(db)
  await invitations.deleteExpired(db)

  const none = [{ failures: 0, wait: 1 }]
  answer(none, none, none)
  await createPasswordAttempts(db).limit(
    { email: 'email', address: '127.0.0.1' },
    async () => undefined,
    () => true,
  )
}
