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
const many = createTestKind('many', groupId)
for (const kind of [notes, pages, common, foreign, many]) server.search.register(kind)
notes.put({
  id: 'outage',
  title: 'Outage',
  text: 'The database was unavailable; src/kernel/db/listener.ts reconnected.',
})
notes.put({ id: 'lunch', title: 'Lunch', text: 'Soup and bread in the kitchen' })
for (let n = 1; n <= 20; n++)
  notes.put({
    id: `tea ${n}`,
    title: `Tea of day ${n}`,
    text: `The kettle was hot. ${'kettle '.repeat(n)}`,
    at: new Date(Date.UTC(2026, 10, n)),
  })
notes.put({
  id: 'kettle',
  title: 'Descale the kettle',
  text: 'With **vinegar**, see SIG-12 and `boil_water.ts`.',
})
for (const [id, day] of [
  ['mug old', 1],
  ['mug new', 2],
] as const)
  pages.put({ id, title: 'Clean mug shelf', text: 'On Friday', at: new Date(Date.UTC(2026, 9, day)) })
pages.put({ id: 'sig', title: 'SIG-12: Boiling takes too long', text: 'Twelve minutes for a cup.' })
pages.put({ id: 'sig 1', title: 'SIG-121: The lid is loose', text: 'It rattles.' })
pages.put({ id: 'model', title: 'GPT-6 Sol mini', text: 'A model' })
pages.put({ id: 'database', title: 'Database', text: 'How the database is backed up every night' })
common.put({ id: 'help', title: 'Help', text: 'Ask the database people' })
foreign.put({ id: 'plan', title: 'Plan', text: 'The database plan that nobody else may see' })
await until(async () => {
  const [mine, theirs] = [await server.search.state(groupId), await server.search.state(otherGroup.id)]
  return mine.documents === 30 && mine.waiting === 0 && theirs.documents === 2
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
  assert.equal(state.json.documents, 30)
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

test('a title with the words comes before texts that repeat them', async () => {
  assert.equal(idsOf(await search({ query: 'kettle' }))[0], 'kettle')
  assert.equal(idsOf(await search({ query: 'kettles' }))[0], 'kettle')
  assert.equal(idsOf(await search({ query: 'hot kettle' }))[0], 'kettle', 'half of the words are enough')
  assert.deepEqual(idsOf(await search({ query: 'mug' })), ['mug new', 'mug old'], 'of equal ones the newer')
})

test('references, names of models and parts of names are found, as they are typed or taken apart', async () => {
  for (const query of ['SIG-12', 'sig-12', 'sig 12'])
    assert.equal(idsOf(await search({ query }))[0], 'sig', query)
  assert.equal(idsOf(await search({ query: 'SIG-121' }))[0], 'sig 1')
  for (const query of ['gpt-6-sol', 'gpt 6 sol mini', 'GPT-6'])
    assert.equal(idsOf(await search({ query }))[0], 'model', query)
  assert.equal(idsOf(await search({ query: 'boil_water.ts' }))[0], 'kettle')
})

test('a mistyped word finds what it nearly is, and a beginning what it begins', async () => {
  for (const query of ['descale kettel', 'desclae', 'desc'])
    assert.equal(idsOf(await search({ query }))[0], 'kettle', query)
})

test('a quoted phrase and an excluded word are conditions', async () => {
  assert.deepEqual(idsOf(await search({ query: '"takes too long"' })), ['sig'])
  assert.deepEqual(idsOf(await search({ query: 'sig -boiling' })), ['sig 1'])
})

test('an excerpt has no Markdown, and its words are marked', async () => {
  const [{ excerpt, highlights }] = (await search({ query: 'vinegar boil_water.ts' })).json.results
  assert.equal(excerpt, 'With vinegar, see SIG-12 and boil_water.ts.')
  assert.deepEqual(
    highlights.map(([from, to]: [number, number]) => excerpt.slice(from, to)),
    ['vinegar', 'boil', 'water', 'ts'],
  )
})

test('a count by kind is what a search of this kind finds', async () => {
  for (const query of ['kettle', 'database', 'sig -boiling', 'hot water from a cup', 'xqzv']) {
    const { json } = await server.call('/api/v1/search/kinds', { key, json: { query, limit: 2 } })
    for (const { kind, count, is_more, results } of json.kinds) {
      const found = idsOf(await search({ query, kinds: [kind], limit: 100 }))
      assert.deepEqual([count, is_more], [found.length, false], `${query}: ${kind}`)
      assert.deepEqual(
        results.map(({ id }: { id: string }) => id),
        found.slice(0, 2),
      )
    }
  }
  const { json } = await server.call('/api/v1/search/kinds', { key, json: { query: 'kettle', limit: 0 } })
  assert.deepEqual(
    json.kinds.map(({ kind, count, results }: { kind: string; count: number; results: unknown[] }) => [
      ...[kind, count, results.length],
    ]),
    [
      ['note', 21, 0],
      ['page', 0, 0],
      ['manual', 0, 0],
      ['secret', 0, 0],
      ['many', 0, 0],
    ],
  )
})

test('a saved search belongs to one person in one group, and replaces the one of its name', async () => {
  const path = '/api/v1/search/saved'
  const names = async (given: object = {}) =>
    (await server.call(path, given)).json.data.map(({ name, query, kinds }: Record<string, unknown>) => [
      ...[name, query, kinds],
    ])
  const save = (json: object) => server.call(path, { json })
  assert.equal((await save({ name: 'Hot', query: 'hot kettle', kinds: ['notes'] })).status, 201)
  const again = await save({ name: ' Hot ', query: 'very hot' })
  assert.equal((await save({ name: 'Cold', query: 'cold' })).status, 201)
  assert.deepEqual(await names(), [
    ['Cold', 'cold', []],
    ['Hot', 'very hot', []],
  ])
  for (const [json, param] of [
    [{ name: '', query: 'x' }, 'name'],
    [{ name: 'x'.repeat(101), query: 'x' }, 'name'],
    [{ name: 'x', query: ' ' }, 'query'],
    [{ name: 'x', query: 'x'.repeat(2_001) }, 'query'],
    [{ name: 'x', query: 'x', kinds: ['nothing'] }, 'kinds[0]'],
  ] as const) {
    const { status, json: answer } = await save(json)
    assert.deepEqual([status, answer.error.param], [400, param])
  }
  const [other] = (await server.query(
    `with person as (insert into access.users (id, name, email) values (gen_random_uuid(), 'Ann', 'ann@example.com') returning id)
     insert into searches.saved (user_id, group_id, name, query, kinds) select id, $1, 'Theirs', 'x', '{}' from person returning id`,
    [groupId],
  )) as [{ id: string }]
  assert.equal((await names()).length, 2)
  const remove = (id: string) => server.call(`${path}/${id}`, { method: 'DELETE' })
  assert.equal((await remove(other.id)).status, 404)
  assert.equal((await remove('nothing')).status, 404)
  assert.equal((await remove(again.json.id)).status, 204)
  assert.deepEqual(await names(), [['Cold', 'cold', []]])
  await server.query(
    `insert into searches.saved (user_id, group_id, name, query, kinds)
     select user_id, group_id, n::text, 'x', '{}' from searches.saved, generate_series(1, 99) n where name = 'Cold'`,
  )
  assert.equal((await save({ name: 'one more', query: 'x' })).status, 409)
  assert.equal((await save({ name: 'Cold', query: 'colder' })).status, 201)
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
    ['/api/v1/search/kinds', { query: '' }, 'query'],
    ['/api/v1/search/kinds', { query: 'x', limit: 21 }, 'limit'],
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

test('more than a hundred of a kind are counted as a hundred and more', async () => {
  for (let n = 1; n <= 101; n++) many.put({ id: `many ${n}`, title: `Umbrella ${n}` })
  await until(async () => {
    const { documents, waiting } = (await server.call('/api/v1/search/state', { key })).json
    return documents === 30 + 101 && waiting === 0
  })
  const { json } = await server.call('/api/v1/search/kinds', { key, json: { query: 'umbrella' } })
  const { count, is_more } = json.kinds.find(({ kind }: { kind: string }) => kind === 'many')
  assert.deepEqual([count, is_more], [100, true])
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
