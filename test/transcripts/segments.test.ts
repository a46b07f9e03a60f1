/** Segments: whatever the pieces in which files arrive, and however often, the archive holds the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '../harness/database.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { filesOf, get, lineOf, segment, sendFile, sessions, show, type Sent } from './archive.ts'
import { at } from './sample.ts'
import { samples } from './samples/index.ts'

const server = await startProduct()

type Caller = Pick<Product, 'call' | 'key'>

/** Each group has an archive of its own. */
async function newArchive(name: string): Promise<Caller> {
  const { json } = await server.call('/api/v1/groups', { json: { name } })
  const headers = { 'x-group-id': json.id as string }
  return {
    key: '',
    call: (path, { key: _key, ...options } = {}) =>
      server.call(path, { ...options, headers: { ...options.headers, ...headers } }),
  }
}

/** Everything that the routes show, without the ids that differ from archive to archive. */
async function contentOf(archive: Caller): Promise<object> {
  const found = await sessions(archive)
  const shown = []
  for (const { id } of found) {
    const { session, messages } = await show(archive, id)
    const unknown = await get(archive, `/api/transcripts/${id}/unknown`)
    const related = (each: object) => ({ ...each, id: undefined })
    shown.push({
      session: {
        ...session,
        id: undefined,
        parent_id: session.parent_id !== null,
        forked_from: session.forked_from !== null,
        subagents: session.subagents.map(related),
        forks: session.forks.map(related),
      },
      unknown: unknown.data.map(({ line }: { line: string }) => line).toSorted(),
      messages: messages.map((message) => ({
        ...message,
        id: undefined,
        subagent_id: message.subagent_id !== null,
        image: message.image && { ...message.image, url: undefined },
        parent_id: messages.findIndex(({ id: each }) => each === message.parent_id),
      })),
    })
  }
  return shown.toSorted((a, b) => (a.session.external_id < b.session.external_id ? -1 : 1))
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const broken = ['{"type":"user', 'null', '[]', '{"type":7}', '\ufffd{', '{"type":"weather","sky":"grey"}']

/** Lines cut, repeated, out of place and broken, as a crash or an editor leaves them. */
function mangled(file: Sent, next: () => number): Sent {
  const lines = file.lines.flatMap((line) => {
    const roll = next()
    if (roll < 0.1) return [line, line]
    if (roll < 0.2) return [line.slice(0, Math.floor(next() * line.length))]
    if (roll < 0.3) return [broken[Math.floor(next() * broken.length)] ?? '', line]
    return [line]
  })
  return { ...file, lines }
}

const allFiles = samples.flatMap(filesOf)

for (const seed of [1, 2, 3])
  test(`files that arrive in random pieces give what whole files give (seed ${seed})`, async () => {
    const next = random(seed)
    const files = allFiles.map((file) => (seed === 1 ? file : mangled(file, next)))
    const [whole, pieces] = [await newArchive(`Whole ${seed}`), await newArchive(`Pieces ${seed}`)]
    for (const file of files) {
      await sendFile(whole, file)
      const sizes = Array.from({ length: file.lines.length }, () => 1 + Math.floor(next() * 4))
      await sendFile(pieces, file, sizes)
    }
    const [expected, actual] = [await contentOf(whole), await contentOf(pieces)]
    assert.deepEqual(actual, expected)
  })

/** What the parsers of the release before did not know, and so did not keep between two segments. */
const newFields = 'calls|turns|isTurnUnderWay|firstTurnOf'

test('a parser continues from what one of the release before has kept', async () => {
  const [whole, pieces] = [await newArchive('Whole after an upgrade'), await newArchive('Upgraded')]
  const upgraded: Caller = {
    ...pieces,
    async call(path, options) {
      const answer = await pieces.call(path, options)
      await administer(
        `update transcripts.sources
         set parser_state = regexp_replace(parser_state, '"(${newFields})":', '"dropped":', 'g')`,
        databaseOf(server),
      )
      return answer
    },
  }
  for (const file of allFiles) {
    await sendFile(whole, file)
    await sendFile(
      upgraded,
      file,
      file.lines.map(() => 1),
    )
  }
  assert.deepEqual(await unknownOf(pieces), await unknownOf(whole))
})

/** How many messages each session has, and what no parser could read. */
async function unknownOf(archive: Caller): Promise<unknown[]> {
  const found = (await sessions(archive)).toSorted((a, b) => (a.external_id < b.external_id ? -1 : 1))
  return Promise.all(
    found.map(async ({ id, external_id: name, message_count: messages }) => {
      const { data } = await get(archive, `/api/transcripts/${id}/unknown`)
      return { name, messages, unknown: data.map(({ line }: { line: string }) => line).toSorted() }
    }),
  )
}

const path = 'projects/-home-dev-shop/33333333-3333-4333-8333-333333333333.jsonl'
const prompt = (uuid: string, content: string, second: number, more: object = {}) =>
  JSON.stringify({
    type: 'user',
    uuid,
    parentUuid: null,
    timestamp: at(second),
    promptSource: 'typed',
    message: { role: 'user', content },
    ...more,
  })
const file: Sent = { assistant: 'claude-code', path, lines: [prompt('a', 'one', 0), prompt('b', 'two', 1)] }
const post = (archive: Caller, json: object) =>
  archive.call('/api/transcripts/ingest', { key: archive.key, json })
const texts = async (archive: Caller) => {
  const [session] = await sessions(archive)
  return (await show(archive, session?.id ?? '')).messages.map(lineOf)
}

test('a segment that comes again, or leaves a gap, changes nothing and is answered with the stored position', async () => {
  const archive = await newArchive('Again')
  await sendFile(archive, file)
  const before = await contentOf(archive)
  const end = file.lines.join('\n').length + 1
  for (const body of [
    segment(file, file.lines, 0),
    segment(file, [prompt('c', 'three', 2)], end + 10),
    segment(file, [prompt('c', 'three', 2)], 5),
  ]) {
    const { status, json } = await post(archive, body)
    assert.equal(status, 200)
    assert.deepEqual([json.generation, json.offset], [0, end])
  }
  assert.deepEqual(await contentOf(archive), before)
})

test('two watchers that send the same at the same moment store it once', async () => {
  const archive = await newArchive('Twice')
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => post(archive, segment(file, file.lines, 0))),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.deepEqual(await texts(archive), ['user text human one', 'user text human two'])
  const [session] = await sessions(archive)
  assert.equal(session?.message_count, 2)
})

test('a position never goes back, even when another sends less at the same moment', async () => {
  const archive = await newArchive('Less')
  for (let round = 0; round < 5; round++) {
    const own = { ...file, path: file.path.replace(/^(.*)\//, `$1-${round}/`) }
    const less = segment(own, own.lines.slice(0, 1), 0)
    const answers = await Promise.all([
      post(archive, segment(own, own.lines, 0)),
      ...Array.from({ length: 4 }, () => post(archive, less)),
    ])
    const furthest = Math.max(...answers.map(({ json }) => json.offset as number))
    // Any segment that begins elsewhere is answered with the stored position.
    const { json } = await post(archive, segment(own, [], 1_000_000))
    assert.equal(json.offset, furthest)
  }
})

test('a file that was replaced or shrank keeps what it said before', async () => {
  const archive = await newArchive('Replaced')
  await sendFile(archive, file)
  await sendFile(archive, { ...file, lines: [prompt('b', 'two', 1), prompt('c', 'three', 2)] }, [], {
    generation: 1,
  })
  assert.deepEqual(await texts(archive), [
    'user text human one',
    'user text human two',
    'user text human three',
  ])
  const stale = await post(archive, segment(file, [prompt('d', 'four', 3)], file.lines.join('\n').length + 1))
  assert.equal(stale.json.generation, 1)
})

test('a file that vanishes takes nothing with it, and its session says so', async () => {
  const archive = await newArchive('Vanished')
  await sendFile(archive, file)
  const { machine, root, assistant } = segment(file, [], 0) as Record<string, string>
  const gone = await archive.call('/api/transcripts/ingest/missing', {
    json: { machine, root, assistant, path },
  })
  assert.equal(gone.status, 204)
  const [session] = await sessions(archive)
  assert.equal(session?.source_missing, true)
  assert.equal((await texts(archive)).length, 2)
})

test('active time leaves out pauses of more than five minutes', async () => {
  const archive = await newArchive('Active')
  const minutes = [0, 1, 6, 12, 40]
  await sendFile(archive, {
    ...file,
    lines: minutes.map((minute) => prompt(`m${minute}`, `minute ${minute}`, minute * 60)),
  })
  const [session] = await sessions(archive)
  // 0 to 1 and 1 to 6 count, 6 to 12 and 12 to 40 do not.
  assert.equal(session?.duration_seconds, 6 * 60)
  assert.equal(session?.wall_seconds, 40 * 60)
})

test('what is not a segment returns 400 and names the field', async () => {
  const good = segment(file, file.lines, 0)
  const blob = { sha256: '0'.repeat(64), mime: 'image/png', data: 'AAAA' }
  for (const [change, param] of [
    [{ path: 'projects/../../etc/passwd' }, 'path'],
    [{ path: '/etc/passwd' }, 'path'],
    [{ path: 'settings.json' }, 'path'],
    [{ assistant: 'cobol' }, 'assistant'],
    [{ to: -1 }, 'to'],
    [{ from: 10, to: 5 }, 'to'],
    [{ lines: [7] }, 'lines.0'],
    [{ blobs: [blob] }, 'blobs'],
    [{ machine: '' }, 'machine'],
    [{ generation: 1.5 }, 'generation'],
  ] as const) {
    const { status, json } = await post(server, { ...good, ...change })
    assert.deepEqual([status, json.error?.param], [400, param], JSON.stringify(change))
  }
})

test('a rollout that was packed later adds nothing to what its lines have given', async () => {
  const archive = await newArchive('Packed')
  const [rollout] = samples.filter(({ assistant }) => assistant === 'codex').flatMap(filesOf)
  assert.ok(rollout)
  await sendFile(archive, rollout)
  const before = await contentOf(archive)
  await sendFile(archive, { ...rollout, path: `${rollout.path}.zst` })
  assert.deepEqual(await contentOf(archive), before)
})
