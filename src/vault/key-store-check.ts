import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import { findMasterKey } from '#kernel/datadir'
import { withLock, type Database } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { MasterKeyMissing, open, SealBroken } from './envelope.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { deleteSealed, masterKeyInForce, sealedColumns, sealedRows } from './master-key-store.ts'
import { explainMissing } from './missing-master-key.ts'
import { rotationLock } from './rotation.ts'
import type { VaultTables } from './tables.ts'

/** Opens everything that is sealed, as a running server would. Throws what an operator has to do. */
export async function checkKeyStore(database: Database, config: Config): Promise<{ sealed: number }> {
  const db: Kysely<VaultTables> = database.tables()
  const master = findMasterKey(config)
  const ring = master && createKeyRing(config, master)
  const broken: string[] = []
  let sealed = 0
  for (const column of sealedColumns) {
    for await (const row of sealedRows(db, column)) {
      sealed += 1
      if (!ring)
        throw new StartFault(
          `There is no master key, but the key store was sealed by the master key ${await masterKeyInForce(db)}. Set MASTER_KEY, or put the original file back as ${join(config.DATA_DIR, 'master.key')}.`,
        )
      if (!(await opens(db, ring, row))) broken.push(`${column.what} ${row.id}`)
    }
  }
  if (broken.length > 0)
    throw new StartFault(
      `${broken.length} of ${sealed} cannot be opened: ${broken.slice(0, 3).join(', ')}. Add them again, or restore a backup.`,
    )
  return { sealed }
}

async function opens(
  db: Kysely<VaultTables>,
  ring: KeyRing,
  row: { id: string; group_id: string; text: string },
): Promise<boolean> {
  try {
    open(ring.find, { keyId: row.id, groupId: row.group_id }, row.text)
    return true
  } catch (error) {
    if (error instanceof MasterKeyMissing)
      throw explainMissing(ring, (await masterKeyInForce(db)) ?? error.masterKeyId)
    if (error instanceof SealBroken) return false
    throw error
  }
}

/**
 * Deletes every sealed secret, and with it what is useless without: hooks, database logins, rows kept for undo. The
 * way out when the master key is lost. The next start puts the key that it finds in force.
 */
export async function dropSealed(database: Database): Promise<{ providerKeys: number; secrets: number }> {
  const db: Kysely<VaultTables> = database.tables()
  return withLock(database.sessions, rotationLock, () => deleteSealed(db))
}
