import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { builtInPrices, type SyncedPrice } from '#gateway'
import { loadConfig } from '#kernel/config'
import { openDatabase, type Database } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import { setPriceFrom } from './commands.ts'
import { createPriceCatalog, type PriceCatalog } from './price-catalog.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const target = await createTestDatabase()
const sources = builtInPrices(loadConfig({}))
const groupId = randomUUID()
const now = (): Date => new Date()

let listed: SyncedPrice[] = []

async function start(): Promise<{ database: Database; book: PriceCatalog }> {
  const database = openDatabase(target, log)
  after(() => database.close())
  const book = createPriceCatalog({ database, builtInPrices: sources, syncedPrices: async () => listed })
  await book.start()
  return { database, book }
}

const { database, book } = await start()
const prices = (input: string) => ({ input_price_per_1m: input, output_price_per_1m: '1' })
const synced = (model: string, input: string | null): SyncedPrice => ({
  groupId,
  model,
  inputPrice: input,
  outputPrice: '2.50',
  cacheReadPrice: null,
  cacheWritePrice: null,
  requestPrice: null,
})

test('another process hears of a new price within moments', async () => {
  const other = await start()
  await setPriceFrom(database, groupId, 'told-model', prices('3'), now())
  for (const each of [book, other.book])
    await until(() => each.priceFor(groupId, null, 'told-model', now())?.row.input_price_per_1m === '3')
  assert.equal(book.priceFor(randomUUID(), null, 'told-model', now()), null, 'it belongs to one group')
})

test('a request is priced by the row in force when it started', async () => {
  const monday = new Date('2026-11-09T00:00:00Z')
  await setPriceFrom(database, groupId, 'dated-model', prices('1'), monday)
  const changed = new Date(Date.now() - 60_000)
  await setPriceFrom(database, groupId, 'dated-model', prices('2'), changed)
  await book.reload()
  const at = (time: number) =>
    book.priceFor(groupId, null, 'dated-model', new Date(time))?.row.input_price_per_1m
  assert.deepEqual(
    [at(changed.getTime() - 1), at(changed.getTime()), at(Date.now()), at(monday.getTime() - 1)],
    ['1', '2', '2', undefined],
  )
})

test('a request that waited for days is priced by the row that was in force then', async () => {
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  await setPriceFrom(database, groupId, 'waiting-model', prices('1'), daysAgo(9))
  await setPriceFrom(database, groupId, 'waiting-model', prices('2'), daysAgo(3))
  await book.reload()
  const at = (days: number) =>
    book.priceFor(groupId, null, 'waiting-model', daysAgo(days))?.row.input_price_per_1m
  assert.deepEqual([at(5), at(1)], [undefined, '2'], 'only what running requests may need is kept')
  await book.loadBackTo(daysAgo(5))
  assert.deepEqual([at(5), at(1)], ['1', '2'])
  await book.reload()
  assert.equal(at(5), '1', 'and stays while others may wait that came then')
})

test('own comes before synchronised, synchronised before built in; only a built-in one is brought along', async () => {
  const model = 'gpt-4.1'
  const found = () => book.priceFor(groupId, 'openai', model, now())
  assert.deepEqual([found()?.row.source, found()?.isStored], ['built_in', false])
  listed = [synced(model, '2.0'), synced('router', '-1'), synced('unknown', null)]
  await database.pool.query(`select pg_notify('gateway_changed', 'models')`)
  await until(() => found()?.row.source === 'synced')
  assert.deepEqual([found()?.isStored, found()?.row.input_price_per_1m], [true, '2'])
  for (const none of ['router', 'unknown']) assert.equal(book.priceFor(groupId, null, none, now()), null)
  await setPriceFrom(database, groupId, model, prices('9'), now())
  await until(() => found()?.row.source === 'own')
})

test('the same list again opens no new row, and two processes that hear of it open one', async () => {
  const rows = async () =>
    (await database.pool.query(`select count(*)::int as n from usage.model_pricing where source = 'synced'`))
      .rows[0].n
  const before = await rows()
  await database.pool.query(`select pg_notify('gateway_changed', 'models')`)
  await database.pool.query(`select pg_notify('gateway_changed', 'models')`)
  // Notifications are heard in order: when the new model is there, both were dealt with.
  listed = [...listed, synced('listed-later', '3')]
  await database.pool.query(`select pg_notify('gateway_changed', 'models')`)
  await until(() => book.priceFor(groupId, null, 'listed-later', now()) !== null)
  assert.equal(await rows(), before + 1)
})

test('a synchronised price that has ended prices no request that began later, in any process', async () => {
  const model = 'changing-model'
  const isAt = (input: string) => () =>
    book.priceFor(groupId, null, model, now())?.row.input_price_per_1m === input
  const change = async (input: string) => {
    listed = [...listed.filter((each) => each.model !== model), synced(model, input)]
    await database.pool.query(`select pg_notify('gateway_changed', 'models')`)
  }
  await change('1')
  await until(isAt('1'))
  /** The last time at which each row was found. */
  const last = new Map<string, number>()
  await change('2')
  for (;;) {
    const at = now()
    const row = book.priceFor(groupId, null, model, at)?.row
    if (row?.input_price_per_1m === '2') break
    last.set(row?.id ?? 'none', at.getTime())
    await new Promise(setImmediate)
  }
  const { rows } = await database.pool.query(
    'select id, effective_from, effective_to from usage.model_pricing where model_id = $1 order by effective_from',
    [model],
  )
  assert.deepEqual([...last.keys()], [rows[0].id], 'there is no time without a price')
  assert.ok((last.get(rows[0].id) ?? Infinity) < rows[0].effective_to.getTime())
  assert.deepEqual([rows.length, rows[1].effective_from], [2, rows[0].effective_to])
})

test('while the database is unavailable prices are known, and after it everything is heard again', async () => {
  const open = await setPriceFrom(database, groupId, 'outage-model', prices('4'), now())
  await until(() => book.priceFor(groupId, null, 'outage-model', now())?.row.id === open.id)
  await administer(`alter database ${target.database} allow_connections false`)
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.database}'`,
  )
  await assert.rejects(book.reload())
  assert.equal(book.priceFor(groupId, null, 'outage-model', now())?.row.id, open.id)
  await administer(`alter database ${target.database} allow_connections true`)
  await setPriceFrom(database, groupId, 'outage-model', prices('5'), now())
  await until(() => book.priceFor(groupId, null, 'outage-model', now())?.row.input_price_per_1m === '5')
})

async function until(isSo: () => boolean): Promise<void> {
  await waitFor('the condition', isSo)
}
