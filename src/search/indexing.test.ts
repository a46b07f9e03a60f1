import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createTestDatabase } from '#test/database'
import { createTestEmbedder } from './testing-embedder.ts'
import { spawnIndexing } from './testing-indexing-process.ts'
import {
  createGroup,
  createSearchProcess,
  createTestKind,
  until,
  type SearchProcess,
} from './testing-search.ts'

const titlesOf = async ({ search }: SearchProcess, groupId: string, text: string): Promise<string[]> =>
  (await search.search({ groupId, text, kinds: null, limit: 10 })).results.map(({ title }) => title)

const isDone = async ({ search }: SearchProcess, groupId: string, documents: number): Promise<boolean> => {
  const state = await search.state(groupId)
  return state.documents === documents && state.waiting === 0
}

test('what a kind hands in is found, by words and by meaning, and progress ends at 100', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  const kind = createTestKind('note', group)
  kind.put({ id: 'bread', text: 'How to bake bread with rye flour' })
  kind.put({ id: 'trains', text: 'The timetable of the night train to Vienna' })
  process.search.register(kind)
  await process.search.start()
  await until(() => isDone(process, group, 2))
  const { results, semantic } = await process.search.search({
    groupId: group,
    text: 'rye bread',
    kinds: null,
    limit: 10,
  })
  assert.equal(semantic, true)
  assert.equal(results[0]?.id, 'bread')
  assert.deepEqual(results[0]?.matched, ['meaning', 'words'])
  // One of two words in the title, both in the text.
  assert.ok(results[0].score > 0.7 && results[0].score < 0.85, String(results[0].score))
  assert.equal(results[0]?.url, '/note/bread')
  assert.equal(results[0]?.excerpt, 'How to bake bread with rye flour')
  assert.deepEqual(results[0]?.highlights, [
    [12, 17],
    [23, 26],
  ])
  const state = await process.search.state(group)
  assert.equal(state.progress, 100)
  assert.equal(state.engine, 'bits')
  assert.deepEqual(state.kinds, [{ kind: 'note', title: 'NOTE', documents: 2, chunks: 2, waiting: 0 }])
  await process.stop()
})

test('changes and deletions are seen, and what did not change is not embedded again', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  const kind = createTestKind('note', group)
  kind.put({ id: 'one', text: 'apples' })
  kind.put({ id: 'two', text: 'pears' })
  process.search.register(kind)
  await process.search.start()
  await until(() => isDone(process, group, 2))
  assert.equal(process.embedder.embedded.length, 2)

  kind.put({ id: 'one', text: 'apples' })
  kind.put({ id: 'two', text: 'oranges' })
  await until(() => process.embedder.embedded.length === 3)
  assert.deepEqual(process.embedder.embedded.slice(2), ['two\n\ntwo\n\noranges'])

  kind.drop('two')
  await until(() => isDone(process, group, 1))
  assert.ok(!(await titlesOf(process, group, 'two oranges')).includes('two'))
  await process.stop()
})

test('a text that grows is embedded at its end only', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  const paragraph = (word: string): string => `${`${word} `.repeat(199)}${word}.\n\n`
  await process.search.start()
  const put = (text: string): Promise<void> =>
    process.search.index('talk', [
      { groupId: group, id: 't', title: 'Talk', text, url: '/t', at: new Date() },
    ])
  const chunks = async (): Promise<string[]> =>
    (await process.query<{ id: string }>('select id from search.chunks order by number')).map(({ id }) => id)
  await put(paragraph('alpha') + paragraph('beta') + paragraph('gamma'))
  const before = await chunks()
  await put(paragraph('alpha') + paragraph('beta') + paragraph('gamma') + paragraph('delta'))
  const now = await chunks()
  assert.ok(now.length > before.length)
  assert.deepEqual(now.slice(0, before.length - 1), before.slice(0, -1))
  await process.stop()
})

test('documents pushed in are found at once by their words, and removed ones are not', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  const document = { groupId: group, id: '1', title: 'Zebra', text: 'stripes', url: '/1', at: new Date() }
  await process.search.index('animal', [document])
  assert.deepEqual(await titlesOf(process, group, 'stripes'), ['Zebra'])
  await process.search.remove('animal', ['1'])
  assert.deepEqual(await titlesOf(process, group, 'stripes'), [])
  await process.stop()
})

test('documents of a group that is gone are left out, and what a deleted group had is gone with it', async () => {
  const process = await createSearchProcess()
  const [group, other] = [await createGroup(process.database, 'A'), await createGroup(process.database, 'B')]
  const document = (groupId: string, id: string) => ({
    groupId,
    id,
    title: id,
    text: 'stripes',
    url: '/',
    at: new Date(),
  })
  await process.search.index('note', [
    document(crypto.randomUUID(), 'lost'),
    document(other, 'theirs'),
    document(group, 'ours'),
  ])
  assert.equal((await process.query('select from search.documents')).length, 2)
  await process.query('delete from access.groups where id = $1', [other])
  assert.deepEqual(await process.query('select document_id from search.chunks'), [{ document_id: 'ours' }])
  await process.stop()
})

test('a process killed in the middle is taken over, and nothing is lost or there twice', async () => {
  const target = await createTestDatabase()
  const process = await createSearchProcess(target)
  const group = await createGroup(process.database, 'A')
  const child = spawnIndexing(target, group)
  const vectors = async (): Promise<number> =>
    (await process.query<{ n: number }>('select count(*)::integer as n from search.vectors'))[0]?.n ?? 0
  await until(async () => (await vectors()) >= 64)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const reached = await vectors()
  assert.ok(reached < 400, `${reached} were done already`)

  const kind = createTestKind('note', group)
  for (let number = 0; number < 400; number++) kind.put({ id: `n${number}`, text: `note number ${number}` })
  process.search.register(kind)
  await process.search.start()
  await until(() => isDone(process, group, 400))
  assert.equal(await vectors(), 400)
  assert.equal(process.embedder.embedded.length, 400 - (reached - (reached % 32)))
  await process.stop()
})

test('two processes share the work and embed nothing twice', async () => {
  const target = await createTestDatabase()
  const processes = [await createSearchProcess(target), await createSearchProcess(target)]
  const group = await createGroup(processes[0]!.database, 'A')
  const kind = createTestKind('note', group)
  for (let number = 0; number < 300; number++) kind.put({ id: `n${number}`, text: `note number ${number}` })
  for (const { search } of processes) search.register(kind)
  await Promise.all(processes.map(({ search }) => search.start()))
  await until(() => isDone(processes[0]!, group, 300))
  const embedded = processes.flatMap(({ embedder }) => embedder.embedded)
  assert.equal(embedded.length, 300)
  assert.equal(new Set(embedded).size, 300)
  for (const { stop } of processes) await stop()
})

test('with another model everything is embedded again, and vectors of two models are never compared', async () => {
  const target = await createTestDatabase()
  const first = await createSearchProcess(target)
  const group = await createGroup(first.database, 'A')
  const document = {
    groupId: group,
    id: '1',
    title: 'Zebra',
    text: 'black stripes',
    url: '/1',
    at: new Date(),
  }
  await first.search.index('animal', [document])
  await first.search.start()
  await until(
    async () => (await titlesOf(first, group, 'black')).length === 1 && first.embedder.embedded.length > 0,
  )
  await first.stop()

  const second = await createSearchProcess(target, createTestEmbedder('other'))
  const before = await second.search.search({ groupId: group, text: 'stripes', kinds: null, limit: 5 })
  assert.deepEqual(
    before.results[0]?.matched,
    ['words'],
    'the first model has a vector, which must not count',
  )
  await second.search.start()
  await until(async () => {
    const { results } = await second.search.search({ groupId: group, text: 'stripes', kinds: null, limit: 5 })
    return results[0]?.matched.includes('meaning') ?? false
  })
  assert.equal(second.embedder.embedded.filter((text) => text.includes('stripes')).length, 1)
  await second.stop()
})

test('while the runtime is down words are found, and embedding continues when it is back', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  process.embedder.isDown = true
  await process.search.start()
  await process.search.index('animal', [
    { groupId: group, id: '1', title: 'Zebra', text: 'black stripes', url: '/1', at: new Date() },
  ])
  const down = await process.search.search({ groupId: group, text: 'stripe', kinds: null, limit: 5 })
  assert.equal(down.semantic, false)
  assert.deepEqual(
    down.results.map(({ title, matched }) => ({ title, matched })),
    [{ title: 'Zebra', matched: ['words'] }],
  )
  process.embedder.isDown = false
  await until(async () => {
    const { semantic, results } = await process.search.search({
      groupId: group,
      text: 'stripes',
      kinds: null,
      limit: 5,
    })
    return semantic && (results[0]?.matched.length ?? 0) === 2
  })
  await process.stop()
})

test('a vector that is too short, not finite or not of unit length is never stored', async () => {
  for (const wrong of [
    new Float32Array(767).fill(1 / Math.sqrt(767)),
    new Float32Array(768).fill(Number.NaN),
    new Float32Array(768).fill(Infinity),
    new Float32Array(768),
    new Float32Array(768).fill(1),
  ]) {
    const process = await createSearchProcess()
    const group = await createGroup(process.database, 'A')
    process.embedder.wrong.set('poison', wrong)
    await process.search.index('note', [
      { groupId: group, id: '1', title: 'Bad', text: 'poison', url: '/1', at: new Date() },
    ])
    await process.search.start()
    await until(() => process.embedder.embedded.length > 1)
    assert.deepEqual(await process.query('select 1 from search.vectors'), [])
    assert.deepEqual(await process.query('select 1 from search.signs'), [])
    process.embedder.wrong.clear()
    await until(async () => (await process.search.state(group)).waiting === 0)
    await process.stop()
  }
})

test('a kind keeps no more documents of a group than it says, the newest', async () => {
  const process = await createSearchProcess()
  const group = await createGroup(process.database, 'A')
  const kind = createTestKind('note', group, 3)
  for (let day = 1; day <= 5; day++)
    kind.put({ id: `d${day}`, text: 'same words', at: new Date(`2026-11-0${day}T00:00:00Z`) })
  process.search.register(kind)
  await process.search.start()
  await until(async () => (await process.query('select 1 from search.documents')).length === 3)
  assert.deepEqual(await process.query('select id from search.documents order by id'), [
    { id: 'd3' },
    { id: 'd4' },
    { id: 'd5' },
  ])
  await process.stop()
})
