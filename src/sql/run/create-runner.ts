import type { PoolClient } from 'pg'
import type { Config } from '#kernel/config'
import { notFound } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { availabilityOf } from '../database/availability.ts'
import type { DatabaseOfGroup, Place, Places } from '../database/places.ts'
import { makeReady, refusedLogin, type ReadyDeps } from '../database/ready.ts'
import { effectSince, isSameEffect, snapshotOf } from '../evidence/effect.ts'
import { planOf, preview } from '../evidence/preview.ts'
import { columnsOf } from './columns.ts'
import { fetchRows } from './fetch.ts'
import { createMigrator } from '../migrate/create-migrator.ts'
import { imagesOf, runKeepingPlaces } from '../undo/images.ts'
import { lockMs } from './limits.ts'
import { askIn, outsideOf, type Outside } from './outside.ts'
import { createConnections, ours, type Connections } from './pools.ts'
import { EffectChanged, type Effect } from '../evidence/evidence.ts'
import { withRowHashes } from '../evidence/row-hashes.ts'
import { runForEffect } from '../evidence/run-for-effect.ts'
import type { Call, Runner, RunResult } from './runner.ts'
import { inSession } from './session.ts'

export interface RunnerDeps {
  config: Config
  log: Log
  places: Places
  ready: ReadyDeps
}

interface Opened {
  version: string
  connections: Promise<Connections>
}

export function createRunner({ config, log, places, ready }: RunnerDeps): Runner {
  /** By role prefix. Opened at the first use; one that could not be opened is tried again. */
  const opened = new Map<string, Opened>()

  async function placeOf({ groupId, database }: DatabaseOfGroup): Promise<Place> {
    const place = await places.find(groupId, database)
    if (!place) throw notFound(`The database ${database}`)
    return place
  }

  const connectionsOf = async (at: DatabaseOfGroup): Promise<Connections> => connectionsTo(await placeOf(at))

  function connectionsTo(place: Place): Promise<Connections> {
    const known = opened.get(place.rolePrefix)
    if (known?.version === place.version) return known.connections
    // Its address or its roles have changed; statements that run keep their connections.
    void known?.connections.then((old) => old.close()).catch(() => undefined)
    const refused = (error: unknown): unknown => refusedLogin(place, error)
    const connections = makeReady(ready, place).then((logins) =>
      createConnections(logins, config.SQL_POOL_SIZE, log, refused),
    )
    opened.set(place.rolePrefix, { version: place.version, connections })
    connections.catch(() => opened.delete(place.rolePrefix))
    return connections
  }

  const inTransaction = async <T>(
    call: Call,
    ending: 'commit' | 'rollback',
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> => {
    const { access, owner, signal } = call
    const options = { access, owner, signal, ending, statementMs: config.SQL_TIMEOUT_MS, lockMs }
    return inSession(await connectionsOf(call), options, work)
  }

  return {
    lookUp: async (at, sql, values, owner = ours) =>
      ask(await connectionsOf(at), sql, values, config.SQL_TIMEOUT_MS, owner),
    environmentOf: async (at) => (await placeOf(at)).environment,
    availability: (place) => availabilityOf(place, () => connectionsTo(place)),
    run: async (call) => {
      const connections = await connectionsOf(call)
      return inTransaction(call, 'commit', (client) => execute(client, call, outsideOf(connections, call)))
    },
    preview: async (call) => preview(await connectionsOf(call), call),
    plan: (call) => inTransaction(call, 'rollback', (client) => planOf(client, call)),
    migrations: createMigrator(connectionsOf, config.SQL_TIMEOUT_MS, log),
    async close() {
      await Promise.allSettled(
        [...opened.values()].map(async ({ connections }) => (await connections).close()),
      )
      opened.clear()
    },
  }
}

async function execute(client: PoolClient, call: Call, outside: Outside): Promise<RunResult> {
  const { result, effect: counted } = await ran(client, call)
  await call.verify?.(askIn(client))
  const effect = call.expect?.rows && counted ? await withRowHashes(client, outside, counted) : counted
  const { kept, fields, rows, truncated, rowsAffected, durationMs } = result
  if (effect && call.expect && !isSameEffect(effect, call.expect)) throw new EffectChanged(effect)
  if (call.keepRows && effect)
    await call.keepRows(kept ? await imagesOf(client, outside, kept.places, effect) : notPlain)
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
  const kept = call.keepRows ? await runKeepingPlaces(client, call.sql, call.params) : undefined
  const returned = kept
    ? { ...nothingReturned, rowsAffected: kept.rowsAffected }
    : await fetchRows(client, call.sql, call.params, call)
  return { ...returned, kept, durationMs: Math.round((performance.now() - started) * 1000) / 1000 }
}

const notPlain = {
  reason: 'It has RETURNING, or is not a plain INSERT, UPDATE or DELETE of one table.',
}

const nothingReturned = { fields: [], rows: [], truncated: false }

/** We ask for a few names; where a database has very many objects, the planner would read all of them. */
const forFewRows = 'set local enable_hashjoin = off; set local enable_mergejoin = off'

/** A question of ours to the catalogs, asked as the reader, so that it sees what the agents may see. */
async function ask(
  connections: Connections,
  sql: string,
  values: unknown[],
  statementMs: number,
  owner: string,
): Promise<Record<string, unknown>[]> {
  const { signal } = new AbortController()
  const options = {
    access: 'read',
    owner,
    statementMs,
    lockMs: statementMs,
    ending: 'rollback',
    signal,
  } as const
  return inSession(connections, options, async (client) => {
    await client.query(forFewRows)
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    return rows
  })
}
