import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import type { UsageTables } from '../tables.ts'
import { exportRows } from './export.ts'
import { parseFilter } from './filter.ts'
import { readPage } from './read-log.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const target = await createTestDatabase()
const database = openDatabase(target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const db: Kysely<UsageTables> = database.tables()
const group = randomUUID()

// Enough in a month, in a day and in an hour that a deep page is found by the sums of each.
const rows = ['2026-01-20T08', '2026-02-03T08', '2026-02-03T09', '2026-02-04T23'].flatMap((hour) =>
  Array.from({ length: 3_000 }, () =>
    newRow(group, new Date(new Date(`${hour}:00:00Z`).getTime() + randomInt(3_600_000)), {
      model: randomInt(3) === 0 ? 'rare' : 'common',
      api_key_id: null,
    }),
  ),
)
for (let at = 0; at < rows.length; at += 2_000) await insertRows(database.pool, rows.slice(at, at + 2_000))

test('a deep offset, skipped over by sums, shows exactly the rows that come next', async () => {
  for (const model of [undefined, 'common', 'rare']) {
    const expected = rows
      .filter((row) => model === undefined || row.model === model)
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
    const filter = parseFilter(group, { model }, () => undefined)
    for (const offset of [0, 1_999, 2_001, 2_999, 3_000, 5_500, 8_999, 9_001, 11_990, 12_000]) {
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

test('an export that breaks in the middle throws, and never comes to its end', async () => {
  const filter = parseFilter(group, {}, () => undefined)
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
