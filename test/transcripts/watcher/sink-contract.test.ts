/** The contract of an archive, as a watcher relies on it: in memory, in this process and over HTTP. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog, Secret } from '#kernel/log'
import { startProduct } from '#test/product'
import { createDeriver } from '../../../src/transcripts/derive/index.ts'
import { createIngest } from '../../../src/transcripts/ingest/ingest.ts'
import { createTranscriptSearch } from '../../../src/transcripts/search/index.ts'
import type { Segment, Sink } from '../../../src/transcripts/segment.ts'
import { createHttpSink } from '../../../src/transcripts/watcher/index.ts'
import { MemorySink } from './memory-sink.ts'
import { userLine } from './scene.ts'

interface Fixture {
  sink: Sink
  /** Lines or messages that are stored of the session. */
  count(session: string): Promise<number>
}

const server = await startProduct()

async function countMessages(session: string): Promise<number> {
  const { data } = (await server.call('/api/transcripts?limit=500')).json as {
    data: { external_id: string; message_count: number }[]
  }
  return data.find((each) => each.external_id === session)?.message_count ?? 0
}

function inMemory(): Fixture {
  const sink = new MemorySink()
  return { sink, count: async (session) => sink.lines(pathOf(session)).length }
}

async function inProcess(): Promise<Fixture> {
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(server.target, log)
  const deriver = createDeriver()
  after(async () => {
    await search.close()
    await deriver.close()
    await database.close()
  })
  const search = createTranscriptSearch({ pool: database.pool, deriver })
  const ingest = createIngest({ pool: database.pool, deriver, search, redact: true })
  const group = server.first.groupId
  const sink: Sink = {
    position: (source) => ingest.position(group, source),
    take: (segment) => ingest.take(group, segment),
    files: (root, cursor) => ingest.files(group, root, cursor),
    missing: (source) => ingest.missing(group, source),
    report: async () => undefined,
  }
  return { sink, count: countMessages }
}

function overHttp(): Fixture {
  const signal = new AbortController().signal
  const sink = createHttpSink({ url: server.url, key: new Secret(server.key), version: '1.0.0', signal })
  return { sink, count: countMessages }
}

const pathOf = (session: string): string => `projects/-shop/${session}.jsonl`

function segment(session: string, generation: number, from: number, texts: string[]): Segment {
  const lines = texts.map(userLine)
  const to = from + lines.reduce((sum, line) => sum + line.length + 1, 0)
  const source = {
    machine: 'm',
    assistant: 'claude-code',
    root: '/home/dev/.claude',
    path: pathOf(session),
  } as const
  const identity = { device: '1', inode: '2', headHash: 'a'.repeat(64), headBytes: 10 }
  const tailHash = 'b'.repeat(64)
  return { source, generation, from, to, identity, cursor: null, tailHash, lines, skipped: [], blobs: [] }
}

const fixtures: [name: string, make: () => Fixture | Promise<Fixture>][] = [
  ['in memory', inMemory],
  ['in this process', inProcess],
  ['over HTTP', overHttp],
]

fixtures.forEach(([name, make], index) => {
  describe(name, async () => {
    const { sink, count } = await make()
    const id = (part: number): string => `0190b3a2-${index}${part}11-4222-8333-444455556666`.padEnd(36, '0')

    test('a source that was never seen has no position', async () => {
      assert.equal(await sink.position(segment(id(1), 0, 0, []).source), null)
    })

    test('a segment is stored once, and the position is the one behind it', async () => {
      const first = segment(id(2), 0, 0, ['one', 'two'])
      const { identity, tailHash, to: offset } = first
      const position = { generation: 0, offset, identity, cursor: null, tailHash }
      assert.deepEqual(await sink.take(first), position)
      assert.deepEqual(await sink.take(first), position)
      assert.deepEqual(await sink.position(first.source), position)
      assert.equal(await count(id(2)), 2)
    })

    test('a segment that begins elsewhere changes nothing and is answered with the position', async () => {
      const first = segment(id(3), 0, 0, ['one'])
      await sink.take(first)
      for (const other of [segment(id(3), 0, first.to + 1, ['two']), segment(id(3), 1, 5, ['three'])])
        assert.equal((await sink.take(other)).offset, first.to)
      assert.equal(await count(id(3)), 1)
      assert.equal((await sink.take(segment(id(3), 0, first.to, ['two']))).generation, 0)
      assert.equal(await count(id(3)), 2)
    })

    test('a new generation begins at 0; the older one is not accepted any more', async () => {
      const first = segment(id(4), 0, 0, ['one'])
      await sink.take(first)
      const again = segment(id(4), 1, 0, ['one', 'two'])
      assert.equal((await sink.take(again)).offset, again.to)
      const { generation, offset } = await sink.take(segment(id(4), 0, first.to, ['three']))
      assert.deepEqual([generation, offset], [1, again.to])
      assert.equal(await count(id(4)), 2)
    })

    test('a segment without lines moves the position', async () => {
      const empty = { ...segment(id(5), 0, 0, []), to: 5_000 }
      assert.equal((await sink.take(empty)).offset, 5_000)
      assert.equal((await sink.position(empty.source))?.offset, 5_000)
    })

    test('a file that is missing keeps its lines and may come back', async () => {
      const first = segment(id(6), 0, 0, ['one'])
      await sink.take(first)
      await sink.missing(first.source)
      await sink.missing(segment(id(7), 0, 0, []).source)
      assert.equal(await count(id(6)), 1)
      await sink.take(segment(id(6), 0, first.to, ['two']))
      assert.equal(await count(id(6)), 2)
    })

    test('files are listed until they are reported as missing', async () => {
      const first = segment(id(8), 0, 0, ['one'])
      const { path: _path, ...root } = first.source
      const has = async () => (await sink.files(root, null)).paths.includes(pathOf(id(8)))
      assert.equal(await has(), false)
      await sink.take(first)
      assert.equal(await has(), true)
      await sink.missing(first.source)
      assert.equal(await has(), false)
    })

    test('reports are accepted', async () => {
      const roots = [
        { assistant: 'claude-code', path: '/home/dev/.claude', files: 1, behindBytes: 0 } as const,
      ]
      const startedAt = new Date().toISOString()
      await sink.report({ machine: 'm', version: '1.0.0', startedAt, roots, skipped: [], problem: null })
    })
  })
})
