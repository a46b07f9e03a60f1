import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import type { NewEvent, StoredEvent } from './event.ts'
import { newEventId } from './event-id.ts'
import { readHeads } from './store/event-store.ts'
import { openTail, sample, send } from './testing.ts'
import { EventWriter } from './writer.ts'

const server = await startProduct()
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(server.target, log)
after(() => database.close())
const { pool } = database

interface Writing {
  stored: StoredEvent[]
  writer: EventWriter
}

function newWriter(): Writing {
  const stored: StoredEvent[] = []
  const writer = new EventWriter({
    pool,
    log,
    sender: randomUUID(),
    onStored: (events) => void stored.push(...events),
    onUnknown: () => undefined,
    firstGroup: () => Promise.reject(new Error('not asked for')),
    lossEvent: () => ({ ...event('', ''), groupId: null }),
  })
  return { stored, writer }
}

function event(groupId: string, title: string): NewEvent {
  const id = newEventId(Date.now())
  const common = { key: null, type: 'sync', severity: 2, source: 'lanes', service: null } as const
  return { ...common, id, groupId, title, message: '', metadata: {} }
}

const sequencesOf = (stored: readonly StoredEvent[], groupId: string): number[] =>
  stored.filter((each) => each.groupId === groupId).map(({ sequence }) => sequence)

const firstGroup = async (): Promise<string> => {
  const { json } = await server.call('/api/v1/groups')
  return (json.data as { id: string }[])[0]?.id ?? ''
}

/** A process of the release before, for as long as the work takes. */
async function besideOldProcess(work: () => Promise<void>): Promise<void> {
  const id = randomUUID()
  await pool.query(
    `insert into kernel.replicas (id, host, process, version, master_key_id, session_fingerprint)
     values ($1, 'elsewhere', 1, '0', '', '')`,
    [id],
  )
  try {
    await work()
  } finally {
    await pool.query('delete from kernel.replicas where id = $1', [id])
  }
}

/** As a process of the release before stores an event. */
const storeAsBefore = (groupId: string, title: string): Promise<unknown> =>
  pool.query(
    `select * from console.store(array[$1::uuid], null, array[$2::uuid], array[$3::int], '{2}', '{sync}', '{lanes}',
       '{null}', array[$4], '{""}', '{"{}"}', '{""}', 'before', false)`,
    [newEventId(Date.now()), groupId, Math.floor(Date.now() / 60_000), title],
  )

const headOfAll = async (): Promise<number> =>
  (await pool.query<{ sequence: number }>('select sequence::float8 as sequence from console.head')).rows[0]
    ?.sequence ?? 0

test('the writers of a group do not wait for those of another', async () => {
  const { stored, writer } = newWriter()
  const [held, free] = [randomUUID(), randomUUID()]
  await writer.store([event(held, 'first')])
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from console.heads where group_id = $1 for update', [held])
  const waiting = writer.store([event(held, 'second')])
  await writer.store([event(free, 'beside')])
  assert.deepEqual(
    stored.map(({ title }) => title),
    ['first', 'beside'],
  )
  await holder.query('commit')
  holder.release()
  await waiting
  assert.deepEqual(sequencesOf(stored, held), [1, 2])
  assert.deepEqual(sequencesOf(stored, free), [1])
})

test('writers of the same groups give each event the next number of its group, none twice', async () => {
  const writings = [newWriter(), newWriter(), newWriter()]
  const groups = Array.from({ length: 5 }, () => randomUUID())
  const calls = writings.flatMap(({ writer }) =>
    Array.from({ length: 40 }, (_, at) => writer.store([event(groups[at % 5] ?? '', `${at}`)])),
  )
  await Promise.all(calls)
  const stored = writings.flatMap((each) => each.stored)
  for (const group of groups) {
    const expected = Array.from({ length: 24 }, (_, at) => at + 1)
    assert.deepEqual(
      sequencesOf(stored, group).toSorted((a, b) => a - b),
      expected,
    )
    const { rows } = await pool.query<{ sequence: number; id: string }>(
      'select sequence::int as sequence, id from console.events where group_id = $1 order by sequence',
      [group],
    )
    const told = new Map(stored.map(({ id, sequence }) => [id, sequence]))
    assert.deepEqual(
      rows.map(({ id }) => told.get(id)),
      expected,
      'what a process was told is what is stored',
    )
  }
})

test('beside a process of the release before, all groups share one sequence, and lanes go on behind it', async () => {
  const { stored, writer } = newWriter()
  const [a, b] = [randomUUID(), randomUUID()]
  await writer.store(Array.from({ length: 300 }, () => event(a, 'own lane')))
  await besideOldProcess(async () => {
    const before = await headOfAll()
    assert.ok(before >= 300, 'its readers begin at the newest event of all lanes')
    await Promise.all([writer.store([event(a, 'shared')]), writer.store([event(b, 'shared')])])
    await storeAsBefore(b, 'of before')
    const shared = [...sequencesOf(stored, a).slice(300), ...sequencesOf(stored, b)].toSorted((x, y) => x - y)
    assert.deepEqual(shared, [before + 1, before + 2])
    assert.equal(await headOfAll(), before + 3)
  })
  const last = await headOfAll()
  await writer.store([event(a, 'own lane again')])
  await writer.store([event(b, 'own lane')])
  assert.equal(sequencesOf(stored, a).at(-1), last + 1)
  assert.equal(sequencesOf(stored, b).at(-1), last + 1)
  assert.equal(await headOfAll(), last)
  const heads = await readHeads(pool, [a, b, randomUUID()])
  assert.deepEqual(
    heads.map(({ sequence }) => sequence),
    [last + 1, last + 1, last],
  )
})

test('a reader gets what a process of the release before stores, and resumes across the change', async () => {
  const group = await firstGroup()
  const tail = await openTail(server, '?source=lanes')
  await send(server, sample('in its lane', { source: 'lanes' }))
  await besideOldProcess(async () => {
    await storeAsBefore(group, 'of before')
    await waitFor('the event of before', () => tail.titles().includes('of before'))
    tail.cut()
    await send(server, sample('in the one lane', { source: 'lanes' }))
  })
  await send(server, sample('in its lane again', { source: 'lanes' }))
  await waitFor('the last event', () => tail.titles().includes('in its lane again'))
  assert.deepEqual(tail.titles(), ['in its lane', 'of before', 'in the one lane', 'in its lane again'])
  assert.deepEqual(tail.gaps, [])
})
