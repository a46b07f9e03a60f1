import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { ensureUpcoming, ensurePartitions, listPartitions, missingRanges } from './partitions.ts'
import { deleteBefore, keptFrom } from './retention.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const target = await createTestDatabase()
const database = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
beforeEach(async () => {
  for (const { table } of await listPartitions(database.pool))
    await database.pool.query(`drop table ${table}`)
  await database.pool.query('truncate usage.hourly, usage.daily, usage.monthly')
})

const day = (text: string): Date => new Date(`${text}T00:00:00Z`)
const ranges = async (): Promise<string[]> =>
  (await listPartitions(database.pool)).map(
    ({ from, to }) => `${from.toJSON().slice(0, 10)} ${to.toJSON().slice(0, 10)}`,
  )
const count = async (table: string): Promise<number> => {
  const { rows } = await database.pool.query<{ n: string }>(`select count(*) as n from ${table}`)
  return Number(rows[0]?.n)
}

const months = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ month: string; requests: string }>(
    'select month::text, sum(requests) as requests from usage.monthly group by 1 order by 1',
  )
  return rows.map(({ month, requests }) => `${month} ${requests}`)
}

test('without retention a table holds a month, with it a day', async () => {
  await ensureUpcoming(database.pool, new Date('2026-11-15T11:00:00Z'), undefined)
  assert.deepEqual(await ranges(), ['2026-11-01 2026-12-01', '2026-12-01 2027-01-01'])
  await ensurePartitions(database.pool, day('2027-01-30'), new Date('2027-02-01T23:59:59.999Z'), 30)
  assert.deepEqual((await ranges()).slice(2), [
    '2027-01-30 2027-01-31',
    '2027-01-31 2027-02-01',
    '2027-02-01 2027-02-02',
  ])
})

test('years of retention do not make thousands of tables', () => {
  assert.equal(missingRanges([], day('2026-01-01'), day('2026-12-31'), 3_650).length, 12)
})

test('a gap between tables of other widths is filled exactly', async () => {
  await ensurePartitions(database.pool, day('2026-11-10'), day('2026-11-11'), 30)
  await ensurePartitions(database.pool, day('2026-11-20'), day('2026-11-20'), 30)
  await ensurePartitions(database.pool, day('2026-10-31'), day('2026-12-01'), undefined)
  assert.deepEqual(await ranges(), [
    '2026-10-01 2026-11-01',
    '2026-11-01 2026-11-10',
    '2026-11-10 2026-11-11',
    '2026-11-11 2026-11-12',
    '2026-11-12 2026-11-20',
    '2026-11-20 2026-11-21',
    '2026-11-21 2026-12-01',
    '2026-12-01 2027-01-01',
  ])
})

test('whatever was there before, ranges meet and never overlap', () => {
  for (let round = 0; round < 200; round++) {
    const present: { from: Date; to: Date }[] = []
    for (let step = 0; step < 8; step++) {
      const from = day('2026-01-01').getTime() + Math.floor(Math.random() * 200 * 86_400_000)
      const to = from + Math.floor(Math.random() * 40 * 86_400_000)
      present.push(
        ...missingRanges(present, new Date(from), new Date(to), Math.random() < 0.5 ? 30 : undefined),
      )
      assert.deepEqual(missingRanges(present, new Date(from), new Date(to), 30), [])
    }
    const sorted = present.toSorted((a, b) => a.from.getTime() - b.from.getTime())
    for (const [at, range] of sorted.entries()) {
      assert.ok(range.from < range.to)
      assert.ok((sorted[at + 1]?.from ?? range.to) >= range.to)
    }
  }
})

test('many processes that make the same tables at once make them once', async () => {
  await Promise.all(
    Array.from({ length: 8 }, () =>
      ensurePartitions(database.pool, day('2026-11-01'), day('2026-11-05'), 30),
    ),
  )
  assert.equal((await ranges()).length, 5)
})

test('retention drops whole tables, trims the one at the edge, and takes the sums along', async () => {
  const group = randomUUID()
  await ensurePartitions(database.pool, day('2026-10-01'), day('2026-10-31'), undefined)
  await ensurePartitions(database.pool, day('2026-11-01'), day('2026-11-04'), 3)
  const times = ['10-05T08', '10-30T23', '10-31T00', '10-31T09', '11-01T00', '11-04T10']
  await insertRows(
    database.pool,
    times.map((time) => newRow(group, new Date(`2026-${time}:59:00Z`))),
  )
  const limit = keptFrom(new Date('2026-11-03T12:00:00Z'), 3)
  assert.equal(limit.toJSON(), '2026-10-31T00:00:00.000Z')
  assert.deepEqual(await deleteBefore(database.pool, limit), { tables: 0, rows: 2 })
  assert.equal(await count('usage.usage_logs'), 4)
  assert.equal(await count('usage.hourly'), 4)
  assert.equal(await count('usage.daily'), 3)
  assert.deepEqual(await months(), ['2026-10-01 2', '2026-11-01 2'])
  assert.deepEqual(await deleteBefore(database.pool, day('2026-11-02')), { tables: 2, rows: 0 })
  assert.equal(await count('usage.usage_logs'), 1)
  assert.equal(await count('usage.hourly'), 1)
  assert.equal(await count('usage.daily'), 1)
  assert.deepEqual(await months(), ['2026-11-01 1'])
})
