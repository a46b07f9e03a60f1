import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { startClock } from '#test/time'
import { waitFor } from '#test/wait'
import { list, openTail, sample, send, titles } from './testing.ts'

const server = await startProduct()
const replica = { ...(await startProduct({}, server.target)), key: server.key }
const { key } = server

test('an event posted to one replica reaches readers of the other within a second, in order', async () => {
  const tail = await openTail(replica, '?source=replicas')
  const post = (title: string) => send(server, sample(title, { source: 'replicas' }))
  const postThere = (title: string) => send(replica, sample(title, { source: 'replicas' }))
  await post('warm-up')
  await waitFor('the first event', () => tail.events.length === 1)
  await post('timed')
  using sinceStored = startClock()
  await waitFor('the second event', () => tail.events.length === 2)
  assert.ok(sinceStored.ms() < 1_000)
  for (let round = 0; round < 20; round++)
    await Promise.all([post(`a${round}`), postThere(`b${round}`), post(`c${round}`)])
  await waitFor('all events', () => tail.events.length === 62)
  const sequences = tail.events.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(sequences).size, 62)
})

test('a reader that was disconnected resumes with what it missed, each event once', async () => {
  const tail = await openTail(server, '?source=resume')
  await send(server, sample('one', { source: 'resume' }))
  await waitFor('the first event', () => tail.events.length === 1)
  tail.cut()
  await send(server, sample('two', { source: 'resume' }), sample('other', { source: 'another' }))
  await send(replica, sample('three', { source: 'resume' }))
  await waitFor('the stream to open again', () => tail.opened() === 2)
  await send(server, sample('four', { source: 'resume' }))
  await waitFor('four events', () => tail.events.length >= 4)
  assert.deepEqual(tail.titles(), ['one', 'two', 'three', 'four'])
  assert.deepEqual(tail.gaps, [])
})

test('a stream says where it begins, so that a reader that is disconnected before its first event misses nothing', async () => {
  const authorization = { authorization: `Bearer ${key}` }
  const opened = await fetch(`${server.url}/api/console/stream?source=early`, { headers: authorization })
  const reader = opened.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  const [, position = ''] = /^id: (\d+)$/m.exec(Buffer.from(first?.value ?? []).toString()) ?? []
  await send(server, sample('one', { source: 'early' }))
  const tail = await openTail(server, `?source=early&after=${position}`)
  await waitFor('the event', () => tail.events.length === 1)
})

test('connections to the database that break while streaming leave no gap and repeat nothing', async () => {
  const tail = await openTail(replica, '?source=broken')
  await send(server, sample('before', { source: 'broken' }))
  await waitFor('the first event', () => tail.events.length === 1)
  await breakConnections()
  await waitFor('an event that is stored', async () => {
    const { status } = await send(server, sample('after', { source: 'broken' }))
    return status === 202
  })
  await waitFor('the second event', () => tail.events.length >= 2)
  await send(replica, sample('last', { source: 'broken' }))
  await waitFor('the last event', () => tail.titles().includes('last'))
  const stored = titles(await list(server, '?source=broken')).toReversed()
  assert.deepEqual(tail.titles(), stored)
})

test('a reader that is too far behind gets 5,000 events, then how many it missed, then what comes', async () => {
  for (let call = 0; call < 6; call++)
    await send(
      server,
      ...Array.from({ length: 1_000 }, (_, at) => sample(`${call * 1_000 + at}`, { source: 'far' })),
    )
  const tail = await openTail(server, '?source=far&after=0')
  await waitFor('the gap', () => tail.gaps.length === 1)
  await send(server, sample('live', { source: 'far' }))
  await waitFor('the live event', () => tail.titles().at(-1) === 'live')
  assert.equal(tail.events.length, 5_001)
  assert.deepEqual(tail.titles().slice(0, 2), ['0', '1'])
  assert.equal(tail.events[4_999]?.title, '4999')
  const [gap] = tail.gaps
  assert.equal(gap?.count, 1_000)
  assert.equal(gap?.from, (tail.events[4_999]?.sequence ?? 0) + 1)
})

test('a reader that stops reading holds little memory here and misses nothing when it reads again', async () => {
  const reader = openPaused('/api/console/stream?source=slow')
  const message = 'x'.repeat(4_000)
  const count = 8_000
  for (let call = 0; call < count / 500; call++)
    await send(
      server,
      ...Array.from({ length: 500 }, (_, at) => sample(`${call * 500 + at}`, { source: 'slow', message })),
    )
  const received = await reader.readUntil(
    (text) => text.includes(`"title":"${count - 1}"`) || text.includes('event: gap'),
  )
  const sequences = [...received.matchAll(/^id: (\d+)\nevent: deployment$/gm)].map((match) =>
    Number(match[1]),
  )
  const gaps = [...received.matchAll(/^event: gap\ndata: .*"count":(\d+)/gm)].map((match) => Number(match[1]))
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(sequences).size, sequences.length)
  assert.equal(sequences.length + gaps.reduce((sum, each) => sum + each, 0), count)
})

test('streams end when the server stops, and at once', async () => {
  const stopped = await startProduct({}, server.target)
  await openTail({ ...stopped, key })
  using sinceStarted = startClock()
  await stopped.stop()
  assert.ok(sinceStarted.ms() < 5_000)
})

test('what was stored while notifications were lost comes as soon as they are back', async () => {
  const tail = await openTail(replica, '?source=unheard')
  // A heartbeat would bring it too, every 15 s: not twice in so short a time.
  for (const title of ['first', 'second']) {
    await withoutNotifications(() => send(server, sample(title, { source: 'unheard' })))
    await waitFor(`the ${title} event`, () => tail.titles().includes(title), 5_000)
  }
  assert.deepEqual(tail.titles(), ['first', 'second'])
})

/** Only connections that are open already work meanwhile. */
async function withoutNotifications(work: () => Promise<unknown>): Promise<void> {
  const database = databaseOf(server)
  const listening = `from pg_stat_activity where datname = '${database}' and application_name = 'signalbox listener'`
  await administer(`alter database ${database} allow_connections false`)
  await waitFor('the end of all listening', async () => {
    await administer(`select pg_terminate_backend(pid) ${listening}`)
    return (await administer(`select ${listening}`)) === 0
  })
  await work()
  await administer(`alter database ${database} allow_connections true`)
  await waitFor('both servers to listen', async () => (await administer(`select ${listening}`)) === 2)
}

async function breakConnections(): Promise<void> {
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseOf(server)}'`,
  )
}

/** A client that sends its request and reads nothing until it is asked to. */
function openPaused(path: string) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  after(() => socket.destroy())
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  return {
    async readUntil(isOver: (text: string) => boolean): Promise<string> {
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.resume()
      await waitFor('the rest of the stream', () => isOver(text.slice(-20_000)))
      // Chunks of the transfer encoding may lie anywhere; their sizes stand on lines of their own.
      return text.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')
    },
  }
}
