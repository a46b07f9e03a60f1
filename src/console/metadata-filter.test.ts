import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { list, openTail, sample, send, titles } from './testing.ts'

const server = await startProduct()
const { call, key } = server

const events = (source: string): object[] => [
  sample('a', { source, metadata: { environment: 'production', retries: 3, request: { path: '/a,b:c!' } } }),
  sample('b', { source, metadata: { environment: 'staging', isHot: true, 'service.name': 'shop' } }),
  sample('c', { source, metadata: { environment: ['production'] } }),
  sample('d', { source }),
]

const expected: Record<string, string[]> = {
  'environment:production': ['a'],
  '!environment:production': ['d', 'c', 'b'],
  '!environment:production,!environment:staging': ['d', 'c'],
  'retries:3': ['a'],
  'isHot:true': ['b'],
  'service.name:shop': ['b'],
  'service/name:shop': [],
  'request/path:%2Fa%2Cb%3Ac%21': ['a'],
  'environment:production,retries:4': [],
  "environment:' or 1=1 --": [],
}
const queryOf = (source: string, metadata: string): string =>
  `?source=${source}&metadata=${encodeURIComponent(metadata)}`

await send(server, ...events('listed'))

test('a filter by metadata shows events with a value, or hides them', async () => {
  for (const [metadata, found] of Object.entries(expected))
    assert.deepEqual(titles(await list(server, queryOf('listed', metadata))), found, metadata)
})

test('the live stream decides about metadata as the list does', async () => {
  const tails = await Promise.all(
    Object.keys(expected).map(
      async (metadata) => [metadata, await openTail(server, queryOf('live', metadata))] as const,
    ),
  )
  const all = await openTail(server, '?source=live')
  await send(server, ...events('live'))
  await waitFor('all events', () => all.events.length === 4)
  for (const [metadata, tail] of tails) {
    const found = expected[metadata] ?? []
    await waitFor(metadata, () => tail.events.length === found.length)
    assert.deepEqual(tail.titles(), found.toReversed(), metadata)
  }
})

test('numbers, places of arrays and objects are compared in the list as in the stream', async () => {
  const odd = (source: string): object[] => [
    sample('large', { source, metadata: { n: 1e21 } }),
    sample('small', { source, metadata: { n: 1e-7 } }),
    sample('array', { source, metadata: { n: ['x', 'y'] } }),
    sample('object', { source, metadata: { n: { a: 1 } } }),
    sample('string', { source, metadata: { n: '1000000000000000000000' } }),
  ]
  const found: Record<string, string[]> = {
    'n:1e+21': ['large'],
    'n:1000000000000000000000': ['string'],
    'n:1e-7': ['small'],
    'n:0.0000001': [],
    'n/0:x': ['array'],
    'n/1:y': ['array'],
    'n/-1:y': [],
    'n/01:y': [],
    'n/length:2': [],
    'n:["x", "y"]': [],
    'n/a:1': ['object'],
    'n:{"a": 1}': [],
  }
  const encoded = (term: string): string => {
    const colon = term.indexOf(':')
    return `${term.slice(0, colon)}:${encodeURIComponent(term.slice(colon + 1))}`
  }
  await send(server, ...odd('odd-listed'))
  const tails = await Promise.all(
    Object.keys(found).map(
      async (term) => [term, await openTail(server, queryOf('odd-live', encoded(term)))] as const,
    ),
  )
  const all = await openTail(server, '?source=odd-live')
  await send(server, ...odd('odd-live'))
  await waitFor('all events', () => all.events.length === 5)
  for (const [term, tail] of tails) {
    assert.deepEqual(titles(await list(server, queryOf('odd-listed', encoded(term)))), found[term], term)
    await waitFor(term, () => tail.events.length >= (found[term]?.length ?? 0))
    assert.deepEqual(tail.titles(), found[term], term)
  }
})

test('a page compares a bounded number of events, and the next one continues behind them', async () => {
  await send(server, sample('rare', { source: 'many', metadata: { customer: '4711' } }))
  const filler = Array.from({ length: 1_000 }, (_, n) => sample(`${n}`, { source: 'many', metadata: { n } }))
  for (let count = 0; count < 20; count++) assert.equal((await send(server, ...filler)).status, 202)
  const first = await call('/api/console/events?metadata=customer:4711', { key })
  assert.deepEqual(first.json.data, [])
  assert.equal(typeof first.json.next_cursor, 'string')
  const second = await call(`/api/console/events?metadata=customer:4711&cursor=${first.json.next_cursor}`, {
    key,
  })
  assert.deepEqual(titles(second.json.data), ['rare'])
  assert.equal(second.json.next_cursor, null)
  const page = await call('/api/console/events?metadata=n:5&limit=2', { key })
  assert.equal(page.json.data.length, 2)
  assert.equal(page.json.next_cursor, page.json.data[1].id)
})

test('a filter by metadata that is not valid, or has no bound, is refused by its name', async () => {
  const refused = async (path: string): Promise<void> => {
    const { status, json } = await call(`/api/console/${path}`, { key })
    assert.deepEqual([status, json.error?.param], [400, 'metadata'], path)
  }
  const steps = Array.from({ length: 9 }, () => 'a').join('/')
  for (const value of [
    '',
    'environment',
    ':x',
    'a:b:c',
    'a:%E0%A4',
    'a:%00',
    `${steps}:x`,
    'a:1,b:1,c:1,d:1,e:1,f:1',
    `a:${'x'.repeat(501)}`,
  ])
    await refused(`events?metadata=${encodeURIComponent(value)}`)
  const [event] = await list(server, '?limit=1')
  await refused(`events?metadata=a:b&around=${event?.id}`)
  await refused(`events?metadata=a:b&newer_than=${event?.id}`)
  await refused('search?q=a&metadata=a:b')
  await refused('stats?metadata=a:b')
})
