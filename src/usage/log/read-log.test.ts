import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import type { UsageTables } from '../tables.ts'
import { exportRows } from './export.ts'
import { parseFilter } from './filter.ts'
import { readPage } from './read-log.ts'
import { sumAll } from './sums-store.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const target = await createTestDatabase()
const database = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const db: Kysely<UsageTables> = database.tables()
const group = randomUUID()
const noNames = {
  resolveProvider: () => undefined,
  apiKeyNames: async () => new Map<string, string>(),
  runKeyAgents: async () => new Map<string, string>(),
  keyPeople: async () => new Map<string, { id: string; name: string }>(),
}

// Two months, so that a page is read from one of them or from both.
const rows = ['2026-01-20T08', '2026-02-03T08', '2026-02-03T09', '2026-02-04T23'].flatMap((hour) =>
  Array.from({ length: 3_000 }, () =>
    newRow(group, new Date(new Date(`${hour}:00:00Z`).getTime() + randomInt(3_600_000)), {
      model: randomInt(3) === 0 ? 'rare' : 'common',
      api_key_id: null,
    }),
  ),
)
for (let at = 0; at < rows.length; at += 2_000) await insertRows(database.pool, rows.slice(at, at + 2_000))

/** How many rows of the log were read by an index so far. */
async function fetched(): Promise<number> {
  const { pool } = database
  // A connection keeps its numbers to itself for some seconds.
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of clients) await client.query('select pg_stat_force_next_flush()')
  for (const client of clients) client.release()
  const { rows: found } = await database.pool.query<{ fetched: string }>(
    `select sum(idx_tup_fetch) as fetched from pg_stat_user_tables where relname like 'usage_logs_%'`,
  )
  return Number(found[0]?.fetched)
}

test('a page at any offset shows exactly the rows that come next', async () => {
  for (const model of [undefined, 'common', 'rare']) {
    const expected = rows
      .filter((row) => model === undefined || row.model === model)
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
    const filter = await parseFilter(group, { model }, noNames)
    for (const offset of [0, 1_999, 2_999, 3_000, 5_500, 8_999, 9_001, 10_000]) {
      const page = await readPage(db, filter, { before: undefined, offset }, 25)
      assert.deepEqual(
        page.rows.map(({ id }) => id),
        expected.slice(offset, offset + 25),
        `${model} ${offset}`,
      )
      assert.equal(page.total, expected.length)
      assert.equal(page.hasMore, offset + 25 < expected.length)
    }
  }
})

test('a range that begins and ends within an hour has exactly its rows, at any offset', async () => {
  for (const [since, until] of [
    ['2026-01-20T08:17:00Z', '2026-02-04T23:30:30.500Z'],
    ['2026-02-03T08:10:00Z', '2026-02-03T09:05:00+00:00'],
    ['2026-02-03T08:10:00Z', '2026-02-03T08:11:00Z'],
    ['2026-01-20T13:47:00+05:30', undefined],
    [undefined, '2026-02-03T09:00:00.001Z'],
  ] as const) {
    const [from, to] = [since ? Date.parse(since) : 0, until ? Date.parse(until) : Infinity]
    const inside = (at: number) => at >= from && at < to
    for (const model of [undefined, ['rare'], ['rare', 'common']]) {
      const expected = rows
        .filter((row) => inside(Date.parse(row.started_at)) && (model?.includes(row.model) ?? true))
        .map(({ id }) => id)
        .toSorted()
        .toReversed()
      const filter = await parseFilter(group, { since, until, model }, noNames)
      for (const offset of [0, 10, 2_500, 5_900]) {
        const page = await readPage(db, filter, { before: undefined, offset }, 25)
        assert.deepEqual(
          page.rows.map(({ id }) => id),
          expected.slice(offset, offset + 25),
          `${since} ${until} ${String(model)} ${offset}`,
        )
        assert.equal(page.total, expected.length, `${since} ${until} ${String(model)}`)
      }
      assert.equal((await sumAll(db, filter)).requests, expected.length)
    }
  }
})

test('a page of a large cell reads few of its rows, where the planner takes it for an average one', async () => {
  const crowd = randomUUID()
  const at = new Date('2026-05-05T08:00:00Z')
  const many = Array.from({ length: 12_000 }, (_, index) =>
    newRow(crowd, at, { model: index % 6 === 0 ? 'large' : `average-${index % 50}` }),
  )
  for (let first = 0; first < many.length; first += 2_000)
    await insertRows(database.pool, many.slice(first, first + 2_000))
  await database.pool.query('vacuum analyze usage.usage_logs')
  const before = await fetched()
  const filter = await parseFilter(crowd, { model: ['large'] }, noNames)
  const page = await readPage(db, filter, { before: undefined, offset: 0 }, 50)
  assert.equal(page.rows.length, 50)
  const read = await waitFor('the statistics', async () => (await fetched()) - before || undefined)
  assert.ok(read < 500, `${read} rows were read`)
})

test('a large page of what is spread over a month has exactly its rows, by offset and by cursor', async () => {
  const spread = randomUUID()
  const all = Array.from({ length: 12_000 }, (_, index) =>
    newRow(spread, new Date(Date.UTC(2026, 5, 3 + (index % 12)) + randomInt(86_400_000)), {
      model: `model-${index % 7}`,
      status_code: index % 11 < 5 ? 500 : 200,
    }),
  )
  for (let first = 0; first < all.length; first += 2_000)
    await insertRows(database.pool, all.slice(first, first + 2_000))
  await database.pool.query('vacuum analyze usage.usage_logs')
  const failed = all
    .filter((row) => row.status_code === 500)
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
  const filter = await parseFilter(spread, { status: 'error' }, noNames)
  const page = await readPage(db, filter, { before: undefined, offset: 1_900 }, 1_000)
  assert.deepEqual([page.rows.map(({ id }) => id), page.total], [failed.slice(1_900, 2_900), failed.length])
  const behind = await readPage(db, filter, { before: failed[1_000], offset: 0 }, 2_600)
  assert.deepEqual(
    behind.rows.map(({ id }) => id),
    failed.slice(1_001, 3_601),
  )
})

test('an export that breaks in the middle throws, and never comes to its end', async () => {
  const filter = await parseFilter(group, {}, noNames)
  const pieces = exportRows(db, filter, { format: 'json', guardFormulas: false })
  let text = ''
  await assert.rejects(async () => {
    for await (const piece of pieces) {
      text += piece
      if (text.length > 100_000) await database.pool.query('alter table usage.usage_logs rename to gone')
    }
  })
  assert.ok(text.startsWith('[') && !text.trimEnd().endsWith(']'))
})
