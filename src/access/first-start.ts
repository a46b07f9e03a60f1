import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Scope } from '#kernel/auth'
import { lockUntilCommit } from '#kernel/db'
import { Secret } from '#kernel/log'
import { localTimeZone } from '#kernel/time-zone'
import type { createApiKeys } from './api-keys.ts'
import {
  countOwnersWhoCanSignIn,
  findUserByEmail,
  firstGroup,
  insertGroup,
  insertUser,
  putMember,
} from './group-store.ts'
import type { Invitations } from './invitations.ts'
import type { AccessTables } from './tables.ts'

export const localOwnerEmail = 'owner@localhost'

export interface FirstStart {
  /** The first API key and its id, only if this start created it. */
  firstKey: Secret | null
  firstKeyId: string | null
  /** The owner token, where there is a local owner. */
  localOwnerToken: Secret | null
  /** The token of the one-time link for the first owner, while nobody can sign in. */
  ownerToken: Secret | null
  isFirst: boolean
  /** The first group, which owns everything created at the first start. */
  groupId: string
}

interface Deps {
  db: Kysely<AccessTables>
  config: Config
  apiKeys: ReturnType<typeof createApiKeys>
  invitations: Invitations
  localOwnerToken: Secret | null
}

/** Enough for a client; a script on this machine that needs `admin` sends the owner token. */
const firstScopes: Scope[] = ['gateway', 'embeddings', 'events', 'read']

/** Ensures that there is a group, a key and someone who can sign in. Replicas that start together do it once. */
export async function firstStart(deps: Deps): Promise<FirstStart> {
  const { db, config, apiKeys, invitations, localOwnerToken } = deps
  const made = await db.transaction().execute(async (transaction) => {
    await lockUntilCommit(transaction, 'first start')
    const existing = await firstGroup(transaction)
    const group =
      existing ?? (await insertGroup(transaction, { name: 'Default', time_zone: localTimeZone() }))
    if (config.localOwner) await ensureLocalOwner(transaction, group.id)
    return { group, isFirst: existing === undefined }
  })
  const firstKey = made.isFirst ? await apiKeys.makeForSystem(made.group.id, 'First key', firstScopes) : null
  const needsOwner = !config.localOwner && (await countOwnersWhoCanSignIn(db)) === 0
  return {
    firstKey: firstKey && new Secret(firstKey.value),
    firstKeyId: firstKey && firstKey.row.id,
    localOwnerToken,
    ownerToken: needsOwner ? new Secret(await invitations.firstOwnerLink(made.group.id)) : null,
    isFirst: made.isFirst,
    groupId: made.group.id,
  }
}

async function ensureLocalOwner(db: Kysely<AccessTables>, groupId: string): Promise<void> {
  const known = await findUserByEmail(db, localOwnerEmail)
  if (known) return
  const id = randomUUID()
  await insertUser(db, { id, name: 'Local owner', email: localOwnerEmail })
  await putMember(db, groupId, id, 'owner')
}
