import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import {
  dumpTables,
  fillTables,
  openDatabase,
  SectionReader,
  type Database,
  type Section,
  type Target,
} from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { ensurePartitions, listPartitions } from './partitions.ts'
import { insertRows, newRow } from './testing-rows.ts'

const open: Database[] = []
after(() => Promise.all(open.map((database) => database.close())))
const log = await createLog({ level: 'silent', form: 'json' })

async function newDatabase(): Promise<Database & { target: Target }> {
  const database = openDatabase(await createTestDatabase(), log)
  open.push(database)
  return database
}

const sectionsOf = (pieces: AsyncIterable<string | Buffer>): AsyncIterable<Section> =>
  new SectionReader(pieces).sections()

async function tables(database: Database): Promise<unknown> {
  const found: Record<string, unknown> = {}
  for (const table of ['usage_logs', 'hourly', 'daily', 'monthly']) {
    const { rows } = await database.pool.query(`select * from usage.${table} order by 1, 2, 3, 4, 5, 6`)
    found[table] = rows
  }
  return found
}

test('a backup carries the tables of the log with their bounds, and its sums are not counted twice', async () => {
  const from = await newDatabase()
  const group = randomUUID()
  await ensurePartitions(from.pool, new Date('2026-01-30T00:00:00Z'), new Date('2026-02-01T00:00:00Z'), 30)
  await insertRows(
    from.pool,
    ['2026-01-31T10:00:00Z', '2026-01-31T10:30:00Z', '2026-03-05T10:00:00Z'].map((time) =>
      newRow(group, new Date(time), { metadata: { note: 'tabs \t and \\ lines \n' } }),
    ),
  )
  const to = await newDatabase()
  await fillTables(to.target, sectionsOf(dumpTables(from.target)))
  assert.deepEqual(await tables(to), await tables(from))
  assert.deepEqual(await listPartitions(to.pool), await listPartitions(from.pool))
  await insertRows(to.pool, [newRow(group, new Date('2026-03-05T11:00:00Z'))])
  const { rows } = await to.pool.query(`select sum(requests)::int as requests from usage.monthly`)
  assert.deepEqual(rows, [{ requests: 4 }], 'the sums are kept again after a restore')
})

test('a backup that hides a statement in a bound is refused', async () => {
  const from = await newDatabase()
  await insertRows(from.pool, [newRow(randomUUID(), new Date('2026-03-05T10:00:00Z'))])
  async function* forged(): AsyncGenerator<Section> {
    for await (const { title, body } of sectionsOf(dumpTables(from.target)))
      yield { body, title: title.replace(/"bound":"[^"]*"/, '"bound":"DEFAULT; drop schema access cascade"') }
  }
  await assert.rejects(fillTables((await newDatabase()).target, forged()), /in an unknown way/)
})
