import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEvents, type EventName, type EventRecord } from '#kernel/events'
import { temporaryFolder } from '#test/product'
import type { PriceRow } from '../row.ts'
import {
  copyOfJournal,
  journalFolders,
  newDatabase,
  newEntry,
  newOutcome,
  silent,
  startLedger,
  until,
  type TestLedger,
} from './testing.ts'

const price: PriceRow = {
  id: '00000000-0000-4000-8000-0000000000aa',
  group_id: null,
  model_id: 'gpt-6-sol',
  source: 'built_in',
  input_price_per_1m: '2',
  output_price_per_1m: '10',
  cache_read_price_per_1m: null,
  cache_write_price_per_1m: null,
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: null,
  tiers: null,
  effective_from: '2026-01-01T00:00:00.000Z',
  effective_to: null,
}

/** Prices that record for which model they were asked. */
function countingPrices() {
  const asked: string[] = []
  const prices = {
    priceFor(_groupId: string, _provider: string | null, model: string) {
      asked.push(model)
      return { row: price, isStored: false }
    },
    loadBackTo: async () => undefined,
  }
  return { asked, prices }
}

function listenTo(...names: EventName[]) {
  const events = createEvents(silent)
  const received: EventRecord[] = []
  for (const name of names) events.on(name, (event) => received.push(event))
  return { events, received }
}

async function settle(ledger: TestLedger, entry = newEntry(), outcome = newOutcome()): Promise<string> {
  const request = await ledger.open(entry)
  request.settle(outcome)
  return entry.requestId
}

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make))

const requestIds = (events: readonly EventRecord[]): string[] =>
  events.flatMap((event) => ('requestId' in event ? [event.requestId] : []))

test('every settled request is an event with its cost, and so is its api_call', async () => {
  const { database } = await newDatabase()
  const { prices } = countingPrices()
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), prices })
  const endedAt = new Date(Date.now() - 60_000)
  await settle(ledger, newEntry(), newOutcome({ endedAt }))
  await settle(ledger, newEntry(), newOutcome({ statusCode: 502, errorMessage: 'it broke', usage: null }))
  await ledger.caughtUp()
  // 10 tokens at $2 and 5 at $10 per million: 0.00002 + 0.00005.
  const calls = ledger.events.filter((event) => event.event === 'api_call')
  assert.deepEqual(
    calls.map(({ severity, statusCode, cost, requestCount }) => [severity, statusCode, cost, requestCount]),
    [
      ['info', 200, '0.00007', 1],
      ['error', 502, '0', 1],
    ],
  )
  assert.equal(calls[1]?.message, 'it broke')
  assert.deepEqual(calls[0]?.at, endedAt, 'the time is that of the request')
  const settled = ledger.events.filter((event) => event.event === 'request.settled')
  assert.deepEqual(
    settled.map(({ cost }) => cost),
    ['0.00007', '0'],
  )
  const { rows } = await database.pool.query('select id from usage.model_pricing')
  assert.deepEqual(rows, [{ id: price.id }], 'the row brought its price along')
})

test('a request is not priced on its own path, and only once for its events and its row', async () => {
  const { database, rows } = await newDatabase()
  const { prices, asked } = countingPrices()
  const { events, received } = listenTo('request.settled', 'api_call')
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), prices, events })
  const request = await ledger.open(newEntry())
  request.settle(newOutcome())
  assert.deepEqual(asked, [])
  await times(30, () => settle(ledger))
  await ledger.caughtUp()
  assert.equal(received.length, 62)
  assert.equal((await rows()).length, 31)
  assert.equal(asked.length, 31)
})

test('the sampler decides before anything is priced, and what it skips is counted by the next event', async () => {
  const { database, setOffline } = await newDatabase()
  const { prices, asked } = countingPrices()
  const { events, received } = listenTo('api_call')
  const environment = { API_CALL_EVENTS_PER_SECOND: '1' }
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), prices, events, environment })
  setOffline(true)
  // More than a delivery takes at once, so that rows behind the first batch are priced for events only.
  const ids = await times(1_000, () => settle(ledger))
  await ledger.caughtUp()
  assert.ok(received.length >= 1 && received.length <= 5, `${received.length} events`)
  assert.ok(asked.length <= 250 + received.length, `${asked.length} requests were priced`)
  const counts = received.map((event) => (event.event === 'api_call' ? event.requestCount : 0))
  assert.ok(counts.reduce((sum, count) => sum + count, 0) <= ids.length)
})

test('events do not wait for the database, keep their order, and are not repeated when it is back', async () => {
  const { database, rows, setOffline } = await newDatabase()
  const { prices, asked } = countingPrices()
  const { events, received } = listenTo('request.settled')
  const ledger = await startLedger({ database, dataDir: temporaryFolder(), prices, events })
  setOffline(true)
  const ids: string[] = []
  for (let n = 0; n < 300; n++) ids.push(await settle(ledger))
  await until(() => received.length === ids.length)
  assert.deepEqual(requestIds(received), ids)
  setOffline(false)
  await until(async () => (await rows()).length === ids.length)
  await ledger.stop()
  assert.deepEqual(requestIds(received), ids)
  assert.equal(asked.length, ids.length, 'no retry priced a request again')
})

test('rows of a process that was killed are copied without events: it may have emitted them', async () => {
  const { database, rows, setOffline } = await newDatabase()
  const dataDir = temporaryFolder()
  setOffline(true)
  const killed = await startLedger({ database, dataDir })
  await times(5, () => settle(killed))
  await killed.open(newEntry())
  const left = copyOfJournal(dataDir)
  setOffline(false)
  const heir = await startLedger({ database, dataDir: left })
  await until(() => journalFolders(left).length === 1)
  assert.equal((await rows()).length, 6)
  const id = await settle(heir)
  await heir.stop()
  assert.deepEqual([...new Set(requestIds(heir.events))], [id])
})

test('stopping emits the events of every request that has ended', async () => {
  const { database } = await newDatabase()
  const ledger = await startLedger({ database, dataDir: temporaryFolder() })
  const ids = await times(20, () => settle(ledger))
  await ledger.stop()
  assert.deepEqual([...new Set(requestIds(ledger.events))], ids)
})
