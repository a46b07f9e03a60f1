import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { notFound } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { open, seal } from './envelope.ts'
import { holdSealingKey } from './hold-sealing-key.ts'
import type { KeyRing } from './key-ring.ts'
import { deleteSecret, insertSecret, sealedSecret } from './secret-store.ts'
import type { VaultTables } from './tables.ts'

/** Secrets that other parts keep, encrypted like provider keys. A stored value never changes. */
export interface SecretStore {
  /** Returns the ID to open it by. */
  put(groupId: string, secret: Secret): Promise<string>
  open(groupId: string, id: string): Promise<Secret>
  /** Rows of other parts that refer to the secret are deleted with it. */
  remove(groupId: string, id: string): Promise<void>
}

export function createSecretStore(db: Kysely<VaultTables>, ring: KeyRing): SecretStore {
  return {
    async put(groupId, secret) {
      const id = randomUUID()
      await db.transaction().execute(async (transaction) => {
        const master = await holdSealingKey(transaction, ring)
        await insertSecret(transaction, id, groupId, seal(master, { keyId: id, groupId }, secret))
      })
      return id
    },
    async open(groupId, id) {
      const sealed = await sealedSecret(db, groupId, id)
      if (sealed === undefined) throw notFound('The secret')
      return open(ring.find, { keyId: id, groupId }, sealed)
    },
    remove: (groupId, id) => deleteSecret(db, groupId, id),
  }
}
