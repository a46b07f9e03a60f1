import type { Kysely } from 'kysely'
import { withLock, type Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import { StartFault } from '#kernel/errors'
import type { Log, Secret } from '#kernel/log'
import { MasterKeyMissing, rewrap, SealBroken } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import type { MasterKey } from './master-key.ts'
import { explainMissing } from './missing-master-key.ts'
import {
  holdSealed,
  masterKeyInForce,
  putInForce,
  saveSealed,
  rewrappedColumns,
  type SealedColumn,
  type SealedRow,
} from './master-key-store.ts'
import type { VaultTables } from './tables.ts'

/** The steps of a rotation; tests interrupt it after each. */
export type RotationStep = 'next key written' | 'rewrapped' | 'committed' | 'former key kept' | 'swapped'

export interface Rotation {
  database: Database
  ring: KeyRing
  events: Events
  log: Log
  after?: (step: RotationStep) => void
}

/** One rotation, or one repair of an interrupted rotation, at a time. */
export const rotationLock = 'master key'
const batch = 500
const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * Wraps every data key by another master key while others read and write. The order makes it safe to be killed
 * anywhere: the new key is on disk before a row depends on it, and the former one stays until none does.
 */
export async function rotateMaster(rotation: Rotation, next: Secret): Promise<{ rewrapped: number }> {
  const { database, ring, events, log, after = () => undefined } = rotation
  const db: Kysely<VaultTables> = database.tables()
  return withLock(database.sessions, rotationLock, async () => {
    const target = ring.add(next)
    await finishSwap(db, ring)
    const inForce = (await masterKeyInForce(db)) ?? ring.own.id
    if (inForce === target.id) return alreadyInForce(ring)
    const former = ring.find(inForce)
    if (!former) throw explainMissing(ring, inForce)
    ring.files?.writeNext(next)
    after('next key written')
    const rewrapped = await rewrapAll({ database, ring, events, log, after }, target)
    after('committed')
    ring.files?.retire(former.id)
    after('former key kept')
    ring.files?.swap()
    after('swapped')
    events.emit('vault.master_key_rotated', {
      groupId: null,
      by: null,
      masterKeyId: target.id,
      rewrapped,
    })
    return { rewrapped }
  })
}

/** A rotation that was killed after its commit left the current key in the file of the next one: renames it. */
export async function finishSwap(db: Kysely<VaultTables>, ring: KeyRing): Promise<void> {
  const { next, current } = ring.files?.read() ?? {}
  if (!ring.files || !next || ring.add(next).id !== (await masterKeyInForce(db))) return
  if (current) ring.files.retire(ring.add(current).id)
  ring.files.swap()
}

function rewrapAll({ database, ring, log, after }: Required<Rotation>, target: MasterKey): Promise<number> {
  const db: Kysely<VaultTables> = database.tables()
  return db.transaction().execute(async (transaction) => {
    await putInForce(transaction, target.id)
    let count = 0
    for (const column of rewrappedColumns) {
      let rows: SealedRow[] = []
      do {
        rows = await holdSealed(transaction, column, rows.at(-1)?.id ?? lowestId, batch)
        const changed = rows.flatMap((row) => rewrapRow(row, column, { ring, target, log }))
        await saveSealed(transaction, column, changed)
        if (column.table !== 'vault.server_secrets') count += changed.length
      } while (rows.length === batch)
    }
    after('rewrapped')
    return count
  })
}

/** A row that is already damaged is skipped, so that it does not keep the others from being rewrapped. */
function rewrapRow(
  row: SealedRow,
  { idName, what }: SealedColumn,
  { ring, target, log }: { ring: KeyRing; target: MasterKey; log: Log },
): SealedRow[] {
  const binding = { keyId: row.id, groupId: row.group_id }
  try {
    return [{ ...row, text: rewrap(ring.find, target, binding, row.text) }]
  } catch (error) {
    if (!(error instanceof SealBroken || error instanceof MasterKeyMissing)) throw error
    log.error(
      { [idName]: row.id, reason: error.message },
      `a stored ${what} cannot be decrypted and is left unchanged`,
    )
    return []
  }
}

/** With files this is the second run of an interrupted rotation. Only the operator can change MASTER_KEY. */
function alreadyInForce(ring: KeyRing): { rewrapped: number } {
  if (ring.files) return { rewrapped: 0 }
  throw new StartFault(
    'MASTER_KEY is already the current key. To change it: generate a new key (openssl rand -base64 32), set MASTER_KEY to it and ' +
      'PREVIOUS_MASTER_KEY to the current one wherever Signalbox runs, restart, and run this command again.',
  )
}
