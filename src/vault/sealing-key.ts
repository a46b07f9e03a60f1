import type { Database } from '#kernel/db'
import type { Secret } from '#kernel/log'
import { countSealed, hasKeys, masterKeyInForce } from './master-key-store.ts'
import { toMasterKey } from './master-key.ts'
import type { VaultTables } from './tables.ts'

/** The id of the master key without which the stored provider keys cannot be opened; undefined when none is stored. */
export async function sealingKeyId(database: Database): Promise<string | undefined> {
  const db = database.tables<VaultTables>()
  return (await hasKeys(db)) ? masterKeyInForce(db) : undefined
}

/** How many provider keys and secrets are stored. */
export const countStored = (database: Database): Promise<number> =>
  countSealed(database.tables<VaultTables>())

export const masterKeyId = (key: Secret): string => toMasterKey(key).id
