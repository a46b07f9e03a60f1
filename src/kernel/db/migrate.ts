import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf, StartFault } from '#kernel/errors'
import { clientConfig, sessionTarget, type Target } from './connection.ts'
import { migrationNames, readMigration, statementsOf, type MigrationFile } from './migration-files.ts'

/** Earlier versions take the same lock, so that an old and a new replica never migrate at the same time. */
const lockId = '3853314791062309107'

/**
 * A change that waits for a lock holds up every query that comes after it, so it gives up soon and tries again. A
 * transaction of a running replica is over by then.
 */
const lockTimeoutMs = 3_000
const lockAttempts = 20
/** A lock that was not free in time, and a circle of locks with a replica that another release has just started. */
const passing = ['55P03', '40P01']
const pauseMs = 200

/** Runs what is missing, under an advisory lock: replicas that start together run each migration once. */
export async function migrate(target: Target, upTo?: string, folder?: string): Promise<string[]> {
  return withClient(target, async (client) => {
    await takeLock(client)
    await makeTable(client)
    const { pending, breaking } = await readState(client, folder)
    if (breaking.length > 0)
      throw new StartFault(
        `The database was written by a newer Signalbox (it has ${breaking.at(-1)}). Start that version, or restore a backup made by this one.`,
      )
    const missing = pending.filter((name) => upTo === undefined || name <= upTo)
    // What a crash of the database server loses of these runs again.
    await client.query('set synchronous_commit = off')
    for (const name of missing) await runPatiently(client, readMigration(name, folder))
    return missing
  })
}

/** Asks again and again: a query that waits is a transaction, and an index that is made beside others waits for those. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lockId}) as taken`)
    if (rows[0]?.taken) return
    await sleep(pauseMs)
  }
}

export interface MigrationState {
  applied: string[]
  pending: string[]
  /** In the database but unknown to this code: it was written by a newer Signalbox. */
  unknown: string[]
  /** Those of the unknown that took away what this code needs. */
  breaking: string[]
}

export async function migrationState(target: Target): Promise<MigrationState> {
  return withClient(target, (client) => readState(client))
}

async function readState(client: pg.Client, folder?: string): Promise<MigrationState> {
  const known = migrationNames(folder)
  const { rows } = await client.query<{ name: string; contracts: boolean }>(
    (await hasTable(client)) ? 'select * from kernel.migration order by name' : 'select where false',
  )
  const applied = rows.map((row) => row.name)
  const unknown = rows.filter((row) => !known.includes(row.name))
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: unknown.map((row) => row.name),
    breaking: unknown.filter((row) => row.contracts).map((row) => row.name),
  }
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('kernel.migration') is not null as found`,
  )
  return rows[0]?.found === true
}

async function makeTable(client: pg.Client): Promise<void> {
  if (!(await hasTable(client)))
    await client.query(
      `create schema if not exists kernel;
       create table kernel.migration (name varchar(255) primary key, timestamp varchar(255) not null)`,
    )
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'kernel.migration'::regclass and attname = 'contracts'`,
  )
  if (rowCount === 0)
    await client.query('alter table kernel.migration add column contracts boolean not null default false')
}

async function runPatiently(client: pg.Client, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(client, file)
    } catch (error) {
      const isPassing = passing.includes((error as { code?: string }).code ?? '')
      if (!isPassing || attempt === lockAttempts)
        throw new StartFault(
          `The database could not be brought up to date (${file.name}): ${messageOf(error)}`,
          { cause: error },
        )
      await sleep(500)
    }
  }
}

async function run(client: pg.Client, file: MigrationFile): Promise<void> {
  if (file.isOutsideTransaction) {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`)
    for (const statement of statementsOf(file.text)) await client.query(statement)
    return record(client, file)
  }
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(file.text)
    await record(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

async function record(client: pg.Client, { name, contracts }: MigrationFile): Promise<void> {
  await client.query('insert into kernel.migration (name, timestamp, contracts) values ($1, $2, $3)', [
    name,
    new Date().toISOString(),
    contracts,
  ])
}

/** Its end releases the lock. */
async function withClient<T>(target: Target, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
