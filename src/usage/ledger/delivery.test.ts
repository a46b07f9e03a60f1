import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type pg from 'pg'
import { temporaryFolder } from '#test/product'
import { ensurePartitions } from '../log/partitions.ts'
import { createDelivery } from './delivery.ts'
import type { WaitingRow } from './source.ts'
import { newDatabase, newEntry, newOutcome, ownMember, silent } from './testing.ts'

const nobody = () => undefined

function deliveryTo(pool: pg.Pool) {
  const rejectedFile = join(temporaryFolder(), 'rejected.ndjson')
  const deliver = createDelivery({
    pool,
    log: silent,
    metrics: { spent: nobody, copied: nobody, copyFailed: nobody, rejected: nobody, unmetered: nobody },
    prices: { priceFor: () => null, loadBackTo: async () => undefined },
    rejectedFile,
    ensurePartitions: (from, to) => ensurePartitions(pool, from, to, undefined),
  })
  return { deliver, rejectedFile }
}

/** Rows with a label each, by which they are told apart. */
function waitingRows(labels: readonly string[], groups: Record<string, string> = {}): WaitingRow[] {
  return labels.map((userLabel) => {
    const groupId = groups[userLabel]
    const entry = newEntry({ userLabel, ...(groupId !== undefined && { groupId }) })
    return { id: entry.requestId.slice(4), record: { entry, outcome: newOutcome() } }
  })
}

const labelled = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${word} ${n}`)
const labelsOf = (rows: Record<string, unknown>[]): string[] =>
  rows.map((row) => String(row['user_label'])).toSorted()

test('deliveries at the same time do not touch each other’s rows, also while one waits for the database', async () => {
  const { database, rows } = await newDatabase()
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => (goOn = resolve))
  let isFirst = true
  const pool = new Proxy(database.pool, {
    get: (real, name) => (name === 'query' ? query : ownMember(real, name)),
  })
  async function query(given: pg.QueryConfig): Promise<unknown> {
    const mustWait = isFirst
    isFirst = false
    if (mustWait) await held
    return database.pool.query(given)
  }
  const { deliver } = deliveryTo(pool)
  const all = ['one', 'two', 'three', 'four'].map((word, n) => labelled(word, 100 + n))
  const [first = [], ...others] = all
  const slow = deliver(waitingRows(first))
  await Promise.all(others.slice(0, 2).map((labels) => deliver(waitingRows(labels))))
  await deliver(waitingRows(others[2] ?? []))
  goOn()
  await slow
  assert.deepEqual(labelsOf(await rows()), all.flat().toSorted())
})

test('rows at fault are set aside as they were written, whichever they are, and the rest arrives', async () => {
  const { database, rows } = await newDatabase()
  const { deliver, rejectedFile } = deliveryTo(database.pool)
  const labels = labelled('läbel', 33)
  const bad = ['läbel 0', 'läbel 16', 'läbel 17', 'läbel 32']
  await deliver(waitingRows(labels, Object.fromEntries(bad.map((label) => [label, 'no uuid']))))
  await deliver(waitingRows(labelled('later', 5)))
  const good = labels.filter((label) => !bad.includes(label))
  assert.deepEqual(labelsOf(await rows()), [...good, ...labelled('later', 5)].toSorted())
  const laidAside = readFileSync(rejectedFile, 'utf8').trim().split('\n')
  const found = laidAside.map((line) => (JSON.parse(line) as { row: Record<string, unknown> }).row)
  assert.deepEqual(
    found.map((row) => [row['user_label'], row['group_id']]),
    bad.map((label) => [label, 'no uuid']),
  )
})

test('a delivery that failed brings all its rows when it is tried again', async () => {
  const { database, rows, setOffline } = await newDatabase()
  const { deliver } = deliveryTo(database.pool)
  const waiting = waitingRows(labelled('again', 20))
  await deliver(waitingRows(labelled('before', 20)))
  setOffline(true)
  await assert.rejects(deliver(waiting), /ECONNREFUSED/)
  setOffline(false)
  await deliver(waiting)
  assert.deepEqual(labelsOf(await rows()), [...labelled('again', 20), ...labelled('before', 20)].toSorted())
})
