import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import type { Log } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import { Accounts, type AccountsDeps } from './accounts.ts'
import type { Ledger } from './ledger.ts'
import { toKnown, type KnownLimit } from './limit.ts'
import type { LimitRow } from './limit-store.ts'
import { stepMs } from './window-store.ts'
import type { Span } from './windows.ts'

/** One request in the usage log. */
interface Entry {
  limitId: string
  endedAt: number
  amount: bigint
}

const ignored = (): undefined => undefined
const silent = { info: ignored, warn: ignored, error: ignored } as unknown as Log

/** A database for replicas that are no more than what they hold of limits, and a usage log that tests write. */
export async function createReplicas() {
  const { address, database } = await createTestDatabase()
  const pool = new pg.Pool({ ...address, database })
  // The database is dropped before its connections are closed.
  pool.on('error', ignored)
  after(() => pool.end())
  const log: Entry[] = []
  const limits = new Map<string, KnownLimit>()
  const groupId = randomUUID()
  await pool.query(`insert into access.groups (id, name) values ($1, 'a')`, [groupId])

  const ended = ({ id }: KnownLimit, from: Date, to: Date): Entry[] =>
    log.filter(
      ({ limitId, endedAt }) => limitId === id && endedAt >= from.getTime() && endedAt < to.getTime(),
    )
  const ledger: Pick<Ledger, 'usedBefore' | 'steps'> = {
    usedBefore: async (limit, { startsAt }: Span, before) =>
      ended(limit, startsAt, before).reduce((sum, { amount }) => sum + amount, 0n),
    steps: async (limit, _span, { from, to }) => {
      const steps = Map.groupBy(ended(limit, from, to), ({ endedAt }) => Math.floor(endedAt / stepMs))
      return [...steps].map(([step, entries]) => ({
        from: new Date(step * stepMs),
        amount: entries.reduce((sum, { amount }) => sum + amount, 0n),
      }))
    },
  }

  return {
    pool,
    log,
    /** A limit of $100 that began long ago, in a window that has no row yet. */
    async addLimit(): Promise<KnownLimit> {
      const { rows } = await pool.query<LimitRow>(
        `insert into limits.limits (id, group_id, subject_type, metric, amount, time_window, action, on_outage, unpriced,
           created_at)
         values ($1, $2, 'group', 'requests', 100, 'total', 'block', 'allow', 'block', now() - interval '1 month')
         returning *`,
        [randomUUID(), groupId],
      )
      const limit = toKnown(rows[0] as LimitRow, 'UTC')
      limits.set(limit.id, limit)
      return limit
    },
    addReplica(more: Partial<AccountsDeps> = {}): Accounts {
      const limitOf = (id: string): KnownLimit | undefined => limits.get(id)
      const given = { pool, ledger: ledger as Ledger, log: silent, limitOf }
      return new Accounts({ ...given, caughtUp: async () => undefined, onReached: ignored, ...more })
    },
    /** Every recount that was asked for is done once. */
    async recounted(): Promise<void> {
      const replica = this.addReplica()
      await pool.query('update limits.recounts set due_at = now() where runs = 0')
      replica.start()
      await waitFor('the recounts', async () => {
        const { rows } = await pool.query('select from limits.recounts where runs = 0')
        return rows.length === 0
      })
      await replica.stop()
    },
    /** What the database says is used. */
    async used({ id }: KnownLimit): Promise<number> {
      const { rows } = await pool.query('select used from limits.windows where limit_id = $1', [id])
      return Number(rows[0]?.used)
    },
  }
}
