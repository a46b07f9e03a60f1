import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleEvent } from '#console/contract'
import { EventList, type EventListOptions, type EventPage } from './event-list.ts'
import type { LiveListener } from './live/messages.ts'
import type { Row } from './rows.ts'

/** Ids are ordered by time. */
const event = (number: number) => ({ id: String(number).padStart(6, '0'), severity: 'info' }) as ConsoleEvent
/** Newest first: `page(5, 3)` holds 5, 4 and 3. */
const page = (newest: number, oldest: number, hasMore = false): EventPage => ({
  events: Array.from({ length: newest - oldest + 1 }, (_, index) => event(newest - index)),
  hasMore,
})
const text = (rows: readonly Row[]) =>
  rows.map((row) => (row.kind === 'event' ? Number(row.key) : `gap ${row.count}`)).join(' ')

/** A list whose stream, frames and pages the test controls. */
async function startList(options: Partial<EventListOptions> & { first: () => Promise<EventPage> }) {
  const frames: (() => void)[] = []
  let tell: LiveListener = () => undefined
  const list = new EventList({
    older: () => Promise.reject(new Error('no older page')),
    join: (listener) => {
      tell = listener
      listener({ kind: 'state', state: 'open', isResumed: false })
      return () => undefined
    },
    matches: () => true,
    schedule: (update) => frames.push(update),
    ...options,
  })
  const stop = list.start()
  await settle()
  const frame = () => {
    for (const update of frames.splice(0)) update()
  }
  const arrive = (...numbers: number[]) => tell({ kind: 'events', events: numbers.map(event) })
  return { list, stop, frame, frames, arrive, tell: (message: Parameters<LiveListener>[0]) => tell(message) }
}

/** Pages resolve at once; what follows them takes a few turns. */
const settle = () => new Promise((resolve) => setImmediate(resolve))
const rowsOf = (list: EventList) => text(list.get().rows)

test('the first page and the stream overlap without repeating an event', async () => {
  const { list, frame, arrive } = await startList({ first: () => Promise.resolve(page(3, 1)) })
  arrive(2, 3, 4, 5)
  frame()
  assert.equal(rowsOf(list), '5 4 3 2 1')
})

test('events that arrive before the first page overlap with it without repeating', async () => {
  const { promise, resolve } = Promise.withResolvers<EventPage>()
  const { list, frame, arrive } = await startList({ first: () => promise })
  arrive(2, 3, 4)
  resolve(page(3, 1))
  await settle()
  frame()
  assert.equal(rowsOf(list), '4 3 2 1')
})

test('events that arrive within one frame are one update', async () => {
  const { list, frame, frames, arrive } = await startList({ first: () => Promise.resolve(page(1, 1)) })
  let updates = 0
  list.subscribe(() => (updates += 1))
  for (let number = 2; number <= 201; number += 1) arrive(number)
  assert.equal(frames.length, 1)
  frame()
  assert.equal(updates, 1)
  assert.equal(list.get().rows.length, 201)
})

test('a paused list does not move, counts what arrives, and shows it when resumed', async () => {
  const { list, frame, arrive } = await startList({ first: () => Promise.resolve(page(2, 1)) })
  list.setPaused(true)
  const before = list.get().rows
  arrive(3, 4)
  frame()
  assert.equal(list.get().rows, before)
  assert.equal(list.get().waiting, 2)
  list.setPaused(false)
  assert.equal(rowsOf(list), '4 3 2 1')
  assert.equal(list.get().waiting, 0)
})

test('a gap in the stream is a row, and loading it fills it in', async () => {
  const older: number[] = []
  const { list, frame, arrive, tell } = await startList({
    first: () => Promise.resolve(page(2, 1)),
    older: (than) => {
      older.push(Number(than.id))
      return Promise.resolve(Number(than.id) === 8 ? page(7, 5, true) : page(4, 2, true))
    },
  })
  tell({ kind: 'gap', gap: { from: 3, to: 7, count: 5 } })
  arrive(8, 9)
  frame()
  assert.equal(rowsOf(list), '9 8 gap 5 2 1')
  const gap = list.get().rows.find((row) => row.kind === 'gap')?.key ?? ''
  await list.loadGap(gap)
  assert.equal(rowsOf(list), '9 8 7 6 5 gap 2 2 1')
  await list.loadGap(gap)
  assert.equal(rowsOf(list), '9 8 7 6 5 4 3 2 1')
  assert.deepEqual(older, [8, 5])
})

test('a stream that begins without a position is caught up; what is out of reach is a gap', async () => {
  let newest = page(2, 1)
  const { list, frame, arrive, tell } = await startList({ first: () => Promise.resolve(newest) })
  newest = page(4, 1)
  tell({ kind: 'state', state: 'open', isResumed: false })
  arrive(5)
  await settle()
  frame()
  assert.equal(rowsOf(list), '5 4 3 2 1')
  newest = page(20, 18, true)
  tell({ kind: 'state', state: 'open', isResumed: false })
  await settle()
  frame()
  assert.equal(rowsOf(list), '20 19 18 gap null 5 4 3 2 1')
})

test('a resumed stream loads nothing', async () => {
  let loads = 0
  const first = () => {
    loads += 1
    return Promise.resolve(page(1, 1))
  }
  const { tell } = await startList({ first })
  tell({ kind: 'state', state: 'lost' })
  tell({ kind: 'state', state: 'open', isResumed: true })
  await settle()
  assert.equal(loads, 1)
})

test('an event with an earlier time goes to its place', async () => {
  const { list, frame, arrive } = await startList({ first: () => Promise.resolve(page(3, 1)) })
  arrive(9, 5, 7)
  frame()
  assert.equal(rowsOf(list), '9 7 5 3 2 1')
  arrive(6)
  frame()
  assert.equal(rowsOf(list), '9 7 6 5 3 2 1')
})

test('the list keeps a bounded number of rows; trimmed ones can be loaded again', async () => {
  const { list, frame, arrive } = await startList({ first: () => Promise.resolve(page(3, 1)), max: 4 })
  arrive(4, 5, 6)
  frame()
  assert.equal(rowsOf(list), '6 5 4 3')
  assert.equal(list.get().canLoadOlder, true)
})

test('a long pause keeps the newest events and says how many are missing', async () => {
  const { list, frame, arrive } = await startList({ first: () => Promise.resolve(page(1, 1)), max: 4 })
  list.setPaused(true)
  arrive(2, 3, 4, 5, 6, 7)
  frame()
  assert.equal(list.get().waiting, 6)
  list.setPaused(false)
  assert.equal(rowsOf(list), '7 6 5 gap 3')
})

test('a search counts new events and does not change', async () => {
  const { list, frame, arrive } = await startList({
    first: () => Promise.resolve(page(2, 1)),
    isSnapshot: true,
  })
  arrive(3, 4)
  frame()
  assert.equal(rowsOf(list), '2 1')
  assert.equal(list.get().waiting, 2)
})

test('events that do not match are left out', async () => {
  const { list, frame, arrive } = await startList({
    first: () => Promise.resolve(page(1, 1)),
    matches: ({ id }) => Number(id) % 2 === 1,
  })
  arrive(2, 3, 4, 5)
  frame()
  assert.equal(rowsOf(list), '5 3 1')
})

test('older pages are appended; a page that fails can be tried again', async () => {
  let isBroken = true
  const { list } = await startList({
    first: () => Promise.resolve(page(4, 3, true)),
    older: () => (isBroken ? Promise.reject(new Error('offline')) : Promise.resolve(page(2, 1))),
  })
  await list.loadOlder()
  assert.equal(list.get().failed?.what, 'older')
  isBroken = false
  await list.loadOlder()
  assert.equal(rowsOf(list), '4 3 2 1')
  assert.deepEqual([list.get().failed, list.get().canLoadOlder], [null, false])
})

test('without a stream the first page is loaded all the same', async () => {
  const { list } = await startList({
    first: () => Promise.resolve(page(1, 1)),
    join: (listener) => {
      listener({ kind: 'state', state: 'lost' })
      return () => undefined
    },
  })
  assert.deepEqual([list.get().phase, list.get().live], ['ready', 'lost'])
})
