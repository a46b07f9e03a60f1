import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { administer, createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import { newEventId } from './event-id.ts'
import type { StoredEvent } from './event.ts'
import type { OfferedEvent } from './waiting.ts'
import { EventWriter, maxOffered } from './writer.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const target = await createTestDatabase()
const database = openDatabase(target, log)
after(() => database.close())
const groupId = newEventId(Date.now())
const stored: StoredEvent[] = []

const event = (title: string): OfferedEvent => ({
  id: newEventId(Date.now()),
  groupId: null,
  key: null,
  type: 'error',
  severity: 3,
  source: 'platform',
  service: null,
  title,
  message: '',
  metadata: {},
})

const writer = new EventWriter({
  pool: database.pool,
  log,
  sender: 'test',
  onStored: (events) => void stored.push(...events),
  onUnknown: () => undefined,
  firstGroup: async () => groupId,
  lossEvent: (lost) => event(`${lost} lost`),
})

test('while the database is unavailable events are kept up to a limit, and what is lost beyond it is reported', async () => {
  await administer(`alter database ${target.database} with allow_connections false`)
  for (let index = 0; index < maxOffered + 5; index++) writer.offer(event(`${index}`))
  await assert.rejects(writer.store([{ ...event('call'), groupId }]))
  await administer(`alter database ${target.database} with allow_connections true`)
  await waitFor('all that was kept', () => stored.some(({ title }) => title === '5 lost'))
  const titles = stored.map(({ title }) => title)
  assert.equal(titles.length, maxOffered + 1)
  assert.deepEqual([titles[0], titles[maxOffered - 1]], ['0', String(maxOffered - 1)])
  assert.ok(stored.every((each) => each.groupId === groupId))
})

test('an event that the database refuses does not take others with it', async () => {
  const call = writer.store([{ ...event('good'), groupId }])
  const refused = writer.store([{ ...event('bad'), groupId, severity: 9 }])
  await assert.rejects(refused, /severity/)
  assert.equal((await call).length, 1)
})

test('an event that is stored again under its id stays one event and is counted once', async () => {
  const source = 'repeated'
  const first = { ...event('first'), groupId, source }
  const second = { ...event('second'), groupId, source }
  await writer.store([first])
  const from = stored.length
  assert.deepEqual(await writer.store([first, second]), [first.id, second.id])
  assert.deepEqual(
    stored.slice(from).map(({ title, sequence }) => [title, sequence]),
    [['second', (stored[from - 1]?.sequence ?? 0) + 1]],
  )
  for (const table of ['minutes', 'hours']) {
    const sums = await database.pool.query(
      `select sum(events)::int as events from console.${table} where source = $1`,
      [source],
    )
    assert.deepEqual(sums.rows, [{ events: 2 }])
  }
})

test('a stop waits for calls that were made before it', async () => {
  const calls = ['first', 'second', 'third'].map((title) => writer.store([{ ...event(title), groupId }]))
  let open = calls.length
  for (const call of calls) void call.then(() => open--)
  await writer.stop()
  assert.equal(open, 0)
})
