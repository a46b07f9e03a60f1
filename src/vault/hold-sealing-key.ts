import type { Transaction } from 'kysely'
import { Fault, faults } from '#kernel/errors'
import type { KeyRing } from './key-ring.ts'
import { holdMasterKey } from './master-key-store.ts'
import type { MasterKey } from './master-key.ts'
import type { VaultTables } from './tables.ts'

/** The current master key, locked until the transaction ends: a rotation runs before or after, never in between. */
export async function holdSealingKey(
  transaction: Transaction<VaultTables>,
  ring: KeyRing,
): Promise<MasterKey> {
  const masterKeyId = await holdMasterKey(transaction, ring.own.id)
  const master = ring.find(masterKeyId)
  if (master) return master
  throw new Fault(
    faults.unavailable,
    'The key cannot be encrypted: this process does not have the current master key. Restart Signalbox.',
    { internal: `the master key ${masterKeyId} is in force and not known to this process` },
  )
}
