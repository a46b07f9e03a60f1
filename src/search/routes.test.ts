import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearchServer } from './testing-server.ts'
import { createTestKind, until } from './testing-search.ts'

const server = await startSearchServer()
const { key, groupId } = server
const [otherGroup] = (await server.query(
  `insert into access.groups (name) values ('Other') returning id`,
)) as [{ id: string }]
const notes = createTestKind('note', groupId)
const pages = createTestKind('page', groupId)
const common = createTestKind('manual', null)
const foreign = createTestKind('secret', otherGroup.id)
for (const kind of [notes, pages, common, foreign]) server.search.register(kind)
notes.put({
  id: 'outage',
  title: 'Outage',
  text: 'The database was unavailable; src/kernel/db/listener.ts reconnected.',
})
notes.put({ id: 'lunch', title: 'Lunch', text: 'Soup and bread in the kitchen' })
pages.put({ id: 'database', title: 'Database', text: 'How the database is backed up every night' })
common.put({ id: 'help', title: 'Help', text: 'Ask the database people' })
foreign.put({ id: 'plan', title: 'Plan', text: 'The database plan that nobody else may see' })
await until(async () => {
  const [mine, theirs] = [await server.search.state(groupId), await server.search.state(otherGroup.id)]
  return mine.documents === 4 && mine.waiting === 0 && theirs.documents === 2
})

const search = (json: object) => server.call('/api/v1/search', { key, json })
const idsOf = (response: { json: { results: { id: string }[] } }): string[] =>
  response.json.results.map(({ id }) => id)

test('a search returns documents of the own group and of all groups, never of another', async () => {
  const response = await search({ query: 'database' })
  assert.equal(response.status, 200)
  assert.equal(response.json.semantic, true)
  assert.deepEqual(idsOf(response).slice(0, 3).toSorted(), ['database', 'help', 'outage'])
  assert.ok(!response.text.includes('nobody else may see'))
  assert.deepEqual(Object.keys(response.json.results[0]).toSorted(), [
    ...['at', 'excerpt', 'highlights', 'id', 'kind', 'matched', 'score', 'similarity', 'title', 'url'],
  ])
  const context = await server.call('/api/v1/context', { key, json: { text: 'the database plan' } })
  assert.ok(!context.text.includes('nobody else may see'))
  const state = await server.call('/api/v1/search/state', { key })
  assert.equal(state.json.documents, 4)
  const foreign = await search({ query: 'database', group_id: otherGroup.id })
  assert.equal(foreign.status, 404)
})

test('kinds and limit narrow the results', async () => {
  for (const kind of ['page', 'pages'])
    assert.deepEqual(idsOf(await search({ query: 'database', kinds: [kind] })), ['database'])
  assert.equal(idsOf(await search({ query: 'database', limit: 1 })).length, 1)
})

test('paths and parts of names are found', async () => {
  for (const query of ['listener.ts', 'src/kernel/db/listener.ts', 'kernel/db', 'listener'])
    assert.equal(idsOf(await search({ query, kinds: ['note'] }))[0], 'outage', query)
})

test('what is called exactly like the query comes first, by its title or its ID', async () => {
  for (const query of ['Lunch', 'lunch', ' LUNCH ']) {
    const [first] = (await search({ query })).json.results
    assert.deepEqual([first.id, first.score], ['lunch', 1], query)
  }
  assert.equal(idsOf(await search({ query: 'help' }))[0], 'help')
  assert.ok(!idsOf(await search({ query: 'plan' })).includes('plan'), 'not in another group')
})

test('a query about nothing that is here finds nothing', async () => {
  for (const query of ['xqzv blorf', 'quarterly mango harvest', '🙃🙃🙃'])
    assert.deepEqual(idsOf(await search({ query })), [], query)
  const context = await server.call('/api/v1/context', { key, json: { text: 'quarterly mango harvest' } })
  assert.deepEqual(context.json.groups, [])
})

test('bad input is a 400 that names the field', async () => {
  const cases: [string, object, string][] = [
    ['/api/v1/search', {}, 'query'],
    ['/api/v1/search', { query: ' \n' }, 'query'],
    ['/api/v1/search', { query: 'x'.repeat(1_048_577) }, 'query'],
    ['/api/v1/search', { query: 'x', kinds: [] }, 'kinds'],
    ['/api/v1/search', { query: 'x', kinds: ['note', 'nothing'] }, 'kinds[1]'],
    ['/api/v1/search', { query: 'x', kinds: 'note' }, 'kinds'],
    ['/api/v1/search', { query: 'x', limit: 0 }, 'limit'],
    ['/api/v1/search', { query: 'x', limit: 101 }, 'limit'],
    ['/api/v1/search', { query: 'x', limit: '5' }, 'limit'],
    ['/api/v1/context', { text: '' }, 'text'],
    ['/api/v1/rank', { query: 'x', texts: [] }, 'texts'],
    ['/api/v1/rank', { query: 'x', texts: ['a', ''] }, 'texts[1]'],
    ['/api/v1/rank', { query: '', texts: ['a'] }, 'query'],
    ['/api/v1/rank', { query: 'x', texts: Array.from({ length: 2_049 }, () => 'a') }, 'texts'],
  ]
  for (const [path, json, param] of cases) {
    const response = await server.call(path, { key, json })
    assert.equal(response.status, 400, `${path} ${param} ${response.text.slice(0, 200)}`)
    assert.equal(response.json.error.param, param, response.text)
  }
})

test('a query with NUL or half of a surrogate pair returns 400', async () => {
  for (const query of ['null\u0000byte', '\ud800 database'])
    assert.equal((await search({ query })).json.error.param, 'query')
})

test('hostile queries find something or nothing, and break nothing', async () => {
  const queries = [
    `'; drop table search.chunks; --`,
    `a & | ! ( ) <-> 'b':* \\`,
    '"unclosed phrase',
    '-database',
    'or or or',
    '\\',
    `'''`,
    '👩‍👩‍👧‍👦',
    'قاعدة البيانات',
    '-'.repeat(10_000),
    '- '.repeat(1_000),
    '-""'.repeat(1_000),
    'x'.repeat(1_048_576),
    'database '.repeat(20_000),
    '('.repeat(5_000),
    '%_%',
    '${1+1} $1 :name ?',
  ]
  for (const query of queries) {
    const response = await search({ query })
    assert.equal(response.status, 200, `${query.slice(0, 40)} ${response.text.slice(0, 300)}`)
  }
  const context = await server.call('/api/v1/context', { key, json: { text: 'database '.repeat(20_000) } })
  assert.equal(context.status, 200)
  assert.ok(idsOf(await search({ query: 'database' })).length >= 3)
})

test('context groups what is about a text by kind, best first', async () => {
  const text = `We talked about soup.\n\n${'The database was slow. '.repeat(200)}\n\nBread is baked at night.`
  const { json } = await server.call('/api/v1/context', { key, json: { text, limit: 1 } })
  assert.equal(json.semantic, true)
  const groups = json.groups as { kind: string; title: string; results: { id: string }[] }[]
  assert.deepEqual(groups.map(({ kind }) => kind).toSorted(), ['manual', 'note', 'page'])
  assert.equal(groups.find(({ kind }) => kind === 'page')?.title, 'PAGE')
  for (const { results } of groups) assert.equal(results.length, 1)
})

test('given texts are ranked by nearness, each with its place', async () => {
  const texts = ['blue car', 'red apple', 'red apple pie']
  const { json } = await server.call('/api/v1/rank', { key, json: { query: 'red apple', texts } })
  assert.deepEqual(
    json.results.map(({ index, text }: { index: number; text: string }) => [index, text]),
    [
      [1, 'red apple'],
      [2, 'red apple pie'],
      [0, 'blue car'],
    ],
  )
  assert.ok(Math.abs(json.results[0].score - 1) < 1e-5)
})

test('reading needs its scope, ranking another, and a new reading an admin', async () => {
  const made = await server.call('/api/v1/keys', { json: { name: 'reader', scopes: ['read'] } })
  const reader = made.json.key as string
  assert.ok(reader, made.text)
  assert.equal((await server.call('/api/v1/search', { key: reader, json: { query: 'x' } })).status, 200)
  const rank = { key: reader, json: { query: 'x', texts: ['y'] } }
  assert.equal((await server.call('/api/v1/rank', rank)).status, 403)
  assert.equal((await server.call('/api/v1/search/reindex', { key: reader, json: {} })).status, 403)
  const before = notes.changesRead
  assert.equal((await server.call('/api/v1/search/reindex', { key, json: {} })).status, 202)
  const embedded = server.embedder.embedded.length
  await until(() => notes.changesRead > before + 2)
  assert.equal(server.embedder.embedded.length, embedded, 'what has not changed is not embedded again')
})

test('while the runtime is down a search says that it went by words alone', async () => {
  server.embedder.isDown = true
  const response = await search({ query: 'soup' })
  assert.equal(response.status, 200)
  assert.equal(response.json.semantic, false)
  assert.deepEqual(idsOf(response), ['lunch'])
  assert.equal((await server.call('/api/v1/rank', { key, json: { query: 'x', texts: ['y'] } })).status, 503)
  server.embedder.isDown = false
})
