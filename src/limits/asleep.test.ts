import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { stopClock } from '#test/stop-clock'
import { waitFor } from '#test/wait'
import { createReplicas } from './testing-accounts.ts'

const replicas = await createReplicas()
const { pool } = replicas

const ask = async (query: string): Promise<number> =>
  Number(Object.values((await pool.query<Record<string, unknown>>(query)).rows[0] ?? {})[0])
const leases = (): Promise<number> => ask('select count(*) from limits.leases')
const newestBeat = (): Promise<number> => ask('select extract(epoch from max(seen_at)) from limits.holders')

test('who slept takes nobody for dead that slept too', async (context) => {
  const clock = stopClock(context, 1_000)
  const limit = await replicas.addLimit()
  // It holds a share and beats no more.
  const other = replicas.addReplica()
  assert.equal(await other.of(limit, Date.now()).want(1n), 'taken')
  const replica = replicas.addReplica()
  replica.start()
  context.after(() => replica.stop())
  // Until it has had the database for long enough to look after others, of whom none is dead so far.
  for (const now of [6_000, 11_000, 16_000, 21_000]) {
    await pool.query('update limits.holders set seen_at = now()')
    const last = await newestBeat()
    clock.set(now)
    await waitFor('the beat', async () => (await newestBeat()) > last)
  }
  // A minute passed, and the clock of processes stood still. Recounts are looked at after the shares of others.
  await pool.query(`update limits.holders set seen_at = seen_at - interval '1 minute'`)
  await pool.query(
    `insert into limits.recounts (id, limit_id, starts_at, ended_from, ended_to, due_at)
     values ($1, $2, to_timestamp(0), now(), now(), now())`,
    [randomUUID(), limit.id],
  )
  clock.set(26_000)
  await waitFor('its care for others', async () => (await ask('select max(runs) from limits.recounts')) > 0)
  assert.equal(await leases(), 1)
  // It still does not beat.
  clock.set(42_000)
  await waitFor('the share to be free', async () => (await leases()) === 0)
})
