import type { Kysely } from 'kysely'
import { withLock, type Database } from '#kernel/db'
import type { Log } from '#kernel/log'
import { liveReplicas } from '#kernel/replicas'
import type { KeyRing } from './key-ring.ts'
import { hasKeys, holdMasterKey, putInForce } from './master-key-store.ts'
import { explainMissing } from './missing-master-key.ts'
import { finishSwap, rotationLock } from './rotation.ts'
import { deleteServerSecrets } from './server-secret-store.ts'
import type { VaultTables } from './tables.ts'

/** Checks that this process can decrypt the stored keys; it does not start otherwise. */
export async function settleMasterKey(database: Database, ring: KeyRing, log: Log): Promise<void> {
  const db: Kysely<VaultTables> = database.tables()
  const inForce = await withLock(database.sessions, rotationLock, async () => {
    await finishSwap(db, ring)
    return db.transaction().execute(async (transaction) => {
      const id = await holdMasterKey(transaction, ring.own.id)
      if (ring.find(id)) return id
      const [other] = await liveReplicas(database.pool)
      if (other || (await hasKeys(transaction))) throw explainMissing(ring, id, other)
      // Nothing is encrypted that could not be made again, so the former key is not needed.
      await deleteServerSecrets(transaction)
      await putInForce(transaction, ring.own.id)
      return ring.own.id
    })
  })
  if (!ring.files && inForce !== ring.own.id)
    log.warn(
      'MASTER_KEY is not the current key yet. Run signalbox keys rotate-master to encrypt the key store with it.',
    )
}
