import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import { processStartTime } from '#kernel/datadir'
import type { Database } from '#kernel/db'
import type { Log } from '#kernel/log'

/** What replicas of one database must have in common; fingerprints, never the keys. */
export interface SharedKeys {
  masterKeyId: string
  sessionFingerprint: string
}

export interface ReplicaRow {
  host: string
  process: number
  master_key_id: string
  session_fingerprint: string
}

export interface Replica {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
  problem(): string | undefined
  /** Processes that run on the database, this one included, as of the last look. */
  count(): number
}

const beatMs = 20_000
/**
 * What this release does that the one before it does not know. Others look here before they do it, so that processes of
 * both releases can run together.
 */
const abilities = ['console lanes']

/** Other processes that run on the database now. */
export async function liveReplicas(pool: pg.Pool, own?: string): Promise<ReplicaRow[]> {
  const { rows } = await pool.query<ReplicaRow>(
    `select host, process, master_key_id, session_fingerprint from kernel.replicas
     where seen_at > now() - interval '60 seconds' and id is distinct from $1 order by started_at`,
    [own],
  )
  return rows
}

/** When the oldest of the processes that run now started. */
export async function runningSince(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ since: Date | null }>(
    `select min(started_at) as since from kernel.replicas where seen_at > now() - interval '60 seconds'`,
  )
  return rows[0]?.since?.toISOString() ?? ''
}

/** A process that was killed could not take its row away. */
async function removeDead(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from kernel.replicas where seen_at < now() - interval '1 day'`)
  const { rows } = await pool.query<{ id: string; process: number }>(
    'select id, process from kernel.replicas where host = $1',
    [hostname()],
  )
  const dead = rows.filter((row) => processStartTime(row.process) === undefined)
  await pool.query('delete from kernel.replicas where id = any ($1)', [dead.map((row) => row.id)])
}

/** Makes this process known to the others, and warns where one has another session secret. */
export async function joinReplicas(
  { pool }: Database,
  version: string,
  { masterKeyId, sessionFingerprint }: SharedKeys,
  log: Log,
): Promise<Replica> {
  const id = randomUUID()
  let timer: NodeJS.Timeout | undefined
  let different: ReplicaRow | undefined
  let others = 0

  async function look(): Promise<void> {
    const live = await liveReplicas(pool, id)
    others = live.length
    const found = live.find((other) => other.session_fingerprint !== sessionFingerprint)
    if (found && !different) log.warn({ replica: nameOf(found) }, differentSessions)
    different = found
  }

  async function beat(): Promise<void> {
    await pool.query(
      `insert into kernel.replicas (id, host, process, version, master_key_id, session_fingerprint, abilities)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do update set seen_at = now()`,
      [id, hostname(), process.pid, version, masterKeyId, sessionFingerprint, abilities],
    )
  }

  await removeDead(pool)
  await beat()
  await look()
  return {
    name: 'replicas',
    problem: () => (different ? differentSessions : undefined),
    count: () => others + 1,
    async start() {
      // An outage is reported by others; the next beat makes up for it.
      timer = setInterval(() => void beat().then(look, () => undefined), beatMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await pool.query('delete from kernel.replicas where id = $1', [id]).catch(() => undefined)
    },
  }
}

const differentSessions =
  'SESSION_SECRET differs between replicas, so people are signed out when they reach another one. Set the same value everywhere, or unset it everywhere.'

const nameOf = ({ host, process: pid }: ReplicaRow): string => `process ${pid} on ${host}`
