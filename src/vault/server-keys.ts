import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import { findMasterKey, keyFile, masterKey as readOrMakeMasterKey } from '#kernel/datadir'
import { withLock, type Database } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { Secret, type Log } from '#kernel/log'
import { joinReplicas, liveReplicas, type Replica } from '#kernel/replicas'
import { open, seal } from './envelope.ts'
import { holdSealingKey } from './hold-sealing-key.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { hasKeys, masterKeyInForce } from './master-key-store.ts'
import { rotationLock } from './rotation.ts'
import { findServerSecret, insertServerSecret } from './server-secret-store.ts'
import { settleMasterKey } from './start-check.ts'
import type { VaultTables } from './tables.ts'

export interface ServerKeys {
  masterKey: Secret
  /** Signs session cookies. */
  sessionSecret: Secret
  replica: Replica
}

const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * The keys that a server cannot start without. One process at a time: of two that start together on an empty database
 * the second finds what the first has sealed.
 */
export async function openServerKeys(
  database: Database,
  config: Config,
  version: string,
  log: Log,
): Promise<ServerKeys> {
  const db: Kysely<VaultTables> = database.tables()
  return withLock(database.sessions, `${rotationLock} at start`, async () => {
    if (!findMasterKey(config)) await refuseNewKey(database, config)
    const masterKey = readOrMakeMasterKey(config)
    const ring = createKeyRing(config, masterKey)
    await settleMasterKey(database, ring, log)
    const sessionSecret = config.SESSION_SECRET ?? (await sharedSessionSecret(db, ring, config))
    const replica = await joinReplicas(
      database,
      version,
      {
        masterKeyId: (await masterKeyInForce(db)) ?? ring.own.id,
        sessionFingerprint: fingerprint(masterKey, sessionSecret),
      },
      log,
    )
    return { masterKey, sessionSecret, replica }
  })
}

/** A key made here could not open what another one has sealed, and would only hide what is missing. */
async function refuseNewKey(database: Database, config: Config): Promise<void> {
  const db: Kysely<VaultTables> = database.tables()
  const id = await masterKeyInForce(db)
  const [other] = await liveReplicas(database.pool)
  if (id === undefined || (!other && !(await hasKeys(db)))) return
  const path = join(config.DATA_DIR, 'master.key')
  throw new StartFault(
    other
      ? `There is no master key here, but another replica (process ${other.process} on ${other.host}) runs on this database with the master key ${id}. Set MASTER_KEY to the same value on every replica, or copy its DATA_DIR/master.key to ${path}.`
      : `There is no master key here, but the key store was sealed by the master key ${id}. Set MASTER_KEY, or put the original file back as ${path}. If it is lost: npx signalbox keys drop-sealed`,
  )
}

/** Kept in the database, so that a session of one replica is good on all. */
async function sharedSessionSecret(db: Kysely<VaultTables>, ring: KeyRing, config: Config): Promise<Secret> {
  const formerFile = join(config.DATA_DIR, 'session.key')
  const name = 'session'
  if (!(await findServerSecret(db, name))) {
    // Earlier versions kept it in a file: people stay signed in.
    const secret = existsSync(formerFile)
      ? keyFile(formerFile)
      : new Secret(randomBytes(32).toString('base64'))
    await db.transaction().execute(async (transaction) => {
      const master = await holdSealingKey(transaction, ring)
      const id = randomUUID()
      const sealed = seal(master, { keyId: id, groupId: nobody }, secret)
      await insertServerSecret(transaction, { id, name, encrypted_value: sealed })
    })
  }
  rmSync(formerFile, { force: true })
  const row = await findServerSecret(db, name)
  if (!row) throw new StartFault('The session secret was deleted during the start. Start Signalbox again.')
  return open(ring.find, { keyId: row.id, groupId: nobody }, row.encrypted_value)
}

/** Under the master key: the session secret of an operator may be a word that could be guessed. */
function fingerprint(masterKey: Secret, sessionSecret: Secret): string {
  const key = Buffer.from(masterKey.reveal(), 'base64')
  return createHmac('sha256', key).update(sessionSecret.reveal()).digest('hex').slice(0, 16)
}
