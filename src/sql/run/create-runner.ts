import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { Fault, notFound } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SecretStore } from '#vault'
import { createLogins } from '../database/logins.ts'
import { placesOf } from '../database/places.ts'
import { makeReady, type ReadyDeps } from '../database/ready.ts'
import type { LoginTables } from '../database/tables.ts'
import { effectSince, isSameEffect, snapshotOf } from '../evidence/effect.ts'
import { planOf, preview } from '../evidence/preview.ts'
import { columnsOf } from './columns.ts'
import { fetchRows } from './fetch.ts'
import { createMigrator } from '../migrate/create-migrator.ts'
import { imagesOf, runKeepingRows } from '../undo/images.ts'
import { ask } from './ask.ts'
import { asLoginFault } from './faults.ts'
import { lockMs } from './limits.ts'
import { createConnections, type Connections } from './pools.ts'
import { EffectChanged, type Effect } from '../evidence/evidence.ts'
import { runForEffect } from '../evidence/run-for-effect.ts'
import { type Call, type OfferedDatabase, type Runner, type RunResult } from './runner.ts'
import { inSession } from './session.ts'

export interface RunnerDeps {
  config: Config
  database: Database
  log: Log
  secrets: SecretStore
  firstGroup: () => Promise<string>
}

export function createRunner(deps: RunnerDeps): Runner {
  const { config, database, log } = deps
  const places = placesOf(config, database.target)
  const ready = readyDeps(deps)
  /** Opened at the first use; one that could not be opened is tried again. */
  const opened = new Map<string, Promise<Connections>>()

  function connectionsOf(name: string): Promise<Connections> {
    const place = places.get(name)
    if (!place) throw notFound(`The database ${name}`)
    const known = opened.get(name)
    if (known) return known
    const opening = makeReady(ready, place)
      .then((logins) => createConnections(name, logins, config.SQL_POOL_SIZE, log))
      .catch((error: unknown) => {
        throw asLoginFault(error, name)
      })
    opened.set(name, opening)
    opening.catch(() => opened.delete(name))
    return opening
  }

  const inTransaction = async <T>(
    call: Call,
    ending: 'commit' | 'rollback',
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> => {
    const { access, signal } = call
    const options = { access, signal, ending, statementMs: config.SQL_TIMEOUT_MS, lockMs }
    return inSession(await connectionsOf(call.database), options, work)
  }

  return {
    databases: () => Promise.all([...places.keys()].map((name) => stateOf(name, connectionsOf))),
    lookUp: async (name, sql, values) => ask(await connectionsOf(name), sql, values, config.SQL_TIMEOUT_MS),
    run: (call) => inTransaction(call, 'commit', (client) => execute(client, call)),
    preview: async (call) => preview(await connectionsOf(call.database), call),
    plan: (call) => inTransaction(call, 'rollback', (client) => planOf(client, call)),
    migrations: createMigrator(async (name) => connectionsOf(name), config.SQL_TIMEOUT_MS, log),
    async close() {
      await Promise.allSettled([...opened.values()].map(async (connections) => (await connections).close()))
      opened.clear()
    },
  }
}

export function readyDeps({ config, database, secrets, firstGroup }: RunnerDeps): ReadyDeps {
  const db: Kysely<LoginTables> = database.tables()
  const platform = database.target.kind === 'embedded' ? database.target.database : 'status'
  return {
    database,
    platform,
    firstGroup,
    logins: createLogins(db, secrets, firstGroup),
    poolSize: config.SQL_POOL_SIZE,
  }
}

async function stateOf(
  name: string,
  connectionsOf: (name: string) => Promise<Connections>,
): Promise<OfferedDatabase> {
  try {
    const client = await (await connectionsOf(name)).take('read')
    client.release()
    return { name, isAvailable: true, problem: null }
  } catch (error) {
    const problem = error instanceof Fault ? error.message : 'The database cannot be used.'
    return { name, isAvailable: false, problem }
  }
}

async function execute(client: PoolClient, call: Call): Promise<RunResult> {
  const { result, effect } = await ran(client, call)
  const { kept, fields, rows, truncated, rowsAffected, durationMs } = result
  if (effect && call.expect && !isSameEffect(effect, call.expect)) throw new EffectChanged(effect)
  const images = kept?.rows && effect ? imagesOf(kept.rows, effect) : null
  if (images) await call.keepRows?.(images)
  const columns = await columnsOf(client, fields)
  await call.beforeCommit?.()
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]]))),
    rowCount: rows.length,
    rowsAffected,
    truncated,
    durationMs,
    effect,
  }
}

/** Relations are compared, and removed rows counted, only where an approval promised something about them. */
async function ran(client: PoolClient, call: Call): Promise<{ result: Fetched; effect: Effect | null }> {
  if (call.expect) return runForEffect(client, () => fetched(client, call))
  const before = call.access === 'write' ? await snapshotOf(client, false) : null
  const result = await fetched(client, call)
  return { result, effect: before && (await effectSince(client, before)).effect }
}

type Fetched = Awaited<ReturnType<typeof fetched>>

async function fetched(client: PoolClient, call: Call) {
  const started = performance.now()
  const kept = call.keepRows ? await runKeepingRows(client, call.sql, call.params) : undefined
  const returned = kept
    ? { ...nothingReturned, rowsAffected: kept.rowsAffected }
    : await fetchRows(client, call.sql, call.params, call)
  return { ...returned, kept, durationMs: Math.round((performance.now() - started) * 1000) / 1000 }
}

const nothingReturned = { fields: [], rows: [], truncated: false }
