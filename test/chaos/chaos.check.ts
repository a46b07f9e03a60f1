import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { numberIn } from '../../bench/ledger/load.ts'
import { nginx } from '../harness/nginx.ts'
import { waitFor } from '../harness/wait.ts'
import { faults, recover, type Fault } from './faults.ts'
import { features, type Feature } from './features.ts'
import { buildHouse, database, type House } from './house.ts'
import { startLoad, type Load, type Phase } from './load.ts'

/*
 * `npm run chaos`: two replicas behind nginx on an external PostgreSQL, one of them through PgBouncer, under load of
 * every feature, while one thing after the other breaks. What was accepted is there at the end; a rolling restart and
 * a rolling upgrade fail nothing; a revoked key works for 15 s at most.
 */

/** Parts of the names of the faults to run, with a bar between them; all of them without it. */
const only = process.env['CHAOS_ONLY'] ?? ''

// What a failed run has left behind must not keep it.
after(() => void setTimeout(() => process.exit(process.exitCode ?? 1), 30_000).unref())

const isHere = { skip: existsSync(nginx) ? false : `${nginx} is not installed` }

interface Row {
  fault: string
  sent: number
  accepted: number
  refused: number
  failed: number
  'ready after': string
}

async function breakIt(fault: Fault, house: House, load: Load): Promise<Row & Pick<Phase, 'complaints'>> {
  const phase = load.begin()
  await fault.run(house)
  const readyMs = await recover(house)
  const { complaints, ...counts } = phase
  console.log(`${fault.name}: ${JSON.stringify(counts)}, both ready after ${readyMs} ms`)
  for (const [line, count] of complaints) console.log(`  ${count} × ${line}`)
  return { fault: fault.name, ...counts, complaints, 'ready after': `${(readyMs / 1_000).toFixed(1)} s` }
}

const kept = async (house: House, sql: string): Promise<Set<string>> =>
  new Set((await house.postgres.ask<{ id: string }>(database, sql)).map(({ id }) => id))

/** What was accepted and is not there; for completions also what reached the provider. */
async function lost(house: House, load: Load, feature: Feature): Promise<string[]> {
  if (feature.kept === undefined) return []
  const there = await kept(house, feature.kept)
  const accepted = new Set(load.accepted(feature))
  if (feature.name === 'chat completions')
    for (const { body } of house.fake.requests) {
      const n = numberIn(body?.toString() ?? '')
      if (n !== undefined) accepted.add(String(n))
    }
  return [...accepted].filter((id) => !there.has(id))
}

/** How long a key still works that another replica revoked while connections are half open. */
async function revokedFor(house: House): Promise<number> {
  const { json: made } = await house
    .replica(0)
    .call('/api/v1/keys', { json: { name: 'to revoke', scopes: ['read'] } })
  const works = async (n: number): Promise<boolean> =>
    (await house.replica(n).call('/api/v1/me', { key: made.key })).status === 200
  assert.deepEqual([await works(0), await works(1)], [true, true])
  house.way.freeze()
  await house.postgres.ask(database, `update access.api_keys set revoked_at = now() where id = '${made.id}'`)
  const revoked = Date.now()
  let last = 0
  await waitFor('the key to be refused everywhere', async () => {
    // A key is judged when the request comes; what the answer then waits for is another matter.
    const asked = Date.now() - revoked
    const states = await Promise.all([works(0), works(1)])
    if (states.includes(true)) last = asked
    return !states.includes(true)
  })
  return last
}

test('whatever breaks under load, nothing that was accepted is lost', isHere, async () => {
  const house = await buildHouse()
  const load = startLoad(house.url, house.key)
  after(() => load.stop())
  const rows: Row[] = []
  const loud: string[] = []
  for (const fault of faults.filter(({ name }) => only.split('|').some((part) => name.includes(part)))) {
    const missing = fault.missing?.(house)
    if (missing !== undefined) {
      console.log(`${fault.name}: left out, ${missing}`)
      continue
    }
    const { complaints, ...row } = await breakIt(fault, house, load)
    rows.push(row)
    if (fault.isSilent && row.refused + row.failed > 0) loud.push(...complaints.keys())
  }
  const lastAcceptedMs = await revokedFor(house)
  await recover(house)
  await load.stop()
  console.table(rows)
  console.log(`A revoked key was last accepted after ${lastAcceptedMs} ms.`)
  const missing: Record<string, string[]> = {}
  for (const feature of features) {
    await waitFor('what is on its way', async () => (await lost(house, load, feature)).length === 0).catch(
      () => 0,
    )
    missing[feature.name] = await lost(house, load, feature)
    console.log(
      `${feature.name}: ${load.accepted(feature).size} accepted, ${missing[feature.name]?.length} lost`,
    )
    assert.ok(load.accepted(feature).size > 0, `${feature.name} were never accepted`)
  }
  assert.deepEqual(Object.values(missing).flat(), [])
  assert.deepEqual(loud, [])
  assert.ok(lastAcceptedMs <= 15_000)
})
