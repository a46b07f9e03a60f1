import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { highlightParts } from './contract.ts'
import { list, sample, send, titles } from './testing.ts'

const server = await startProduct()
const { call, key } = server

await send(
  server,
  sample('a', { service: 'pay', severity: 'info', type: 'deployment', source: 'one' }),
  sample('b', { service: 'pay', severity: 'error', type: 'error', source: 'one' }),
  sample('c', { service: 'shop', severity: 'critical', type: 'error', source: 'two' }),
  sample('d', { severity: 'debug', type: 'sync', source: 'two' }),
)

test('filters choose by service, type, source and severity, and leave out what follows an exclamation mark', async () => {
  const expected: Record<string, string[]> = {
    'service=pay': ['b', 'a'],
    'service=pay,shop': ['c', 'b', 'a'],
    'service=!pay': ['d', 'c'],
    'type=error': ['c', 'b'],
    'type=!error,!sync': ['a'],
    'source=two&type=error': ['c'],
    'severity=error': ['c', 'b'],
    'severity=critical': ['c'],
    'severity=trace': ['d', 'c', 'b', 'a'],
    'levels=debug,critical': ['d', 'c'],
    'levels=error': ['b'],
  }
  for (const [query, found] of Object.entries(expected))
    assert.deepEqual(
      titles(await list(server, `?source=one,two&${query}`.replace('source=one,two&source', 'source'))),
      found,
      query,
    )
})

test('a bad parameter returns 400 and is named', async () => {
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['severity=loud', 'severity'],
    ['type=party', 'type'],
    ['since=noon', 'since'],
    ['until=9999-12-31T23:59:59-23:59', 'until'],
    ['since=2026-11-16&until=2026-11-15', 'until'],
    ['cursor=1', 'cursor'],
    ['servce=pay', 'servce'],
    ['severity=info&levels=info', 'levels'],
  ]) {
    const { status, json } = await call(`/api/console/events?${query}`, { key })
    assert.deepEqual([status, json.error.param], [400, param], query)
  }
  assert.equal((await call('/api/console/stats?hours=8761', { key })).status, 400)
  assert.equal((await call('/api/console/search?q=%20', { key })).status, 400)
})

test('pages follow each other by cursor without gap or repeat', async () => {
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 5; pages++) {
    const { json } = await call(`/api/console/events?source=one,two&limit=3${cursor}`, { key })
    seen.push(...titles(json.data))
    if (json.next_cursor === null) break
    cursor = `&cursor=${json.next_cursor}`
  }
  assert.deepEqual(seen, ['d', 'c', 'b', 'a'])
})

test('an event is shown among those around it, and from there towards newer ones', async () => {
  const [, , b] = await list(server, '?source=one,two')
  const around = await call(`/api/console/events?source=one,two&around=${b?.id}&limit=3`, { key })
  assert.deepEqual(titles(around.json.data), ['c', 'b', 'a'])
  const newer = await call(`/api/console/events?source=one,two&newer_than=${b?.id}&limit=1`, { key })
  assert.deepEqual(titles(newer.json.data), ['c'])
})

test('times choose events from since, up to and without until', async () => {
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()
  const base = Date.now() - 7_200_000
  const time = (minute: number): string => new Date(base + minute * 60_000).toISOString()
  assert.ok(at(1) < at(2))
  await send(
    server,
    ...[0, 1, 2].map((minute) => sample(`minute ${minute}`, { source: 'timed', created_at: time(minute) })),
  )
  const found = await list(server, `?source=timed&since=${time(1)}&until=${time(2)}`)
  assert.deepEqual(titles(found), ['minute 1'])
  const stats = await call(`/api/console/stats?source=timed&hours=3`, { key })
  assert.equal(stats.json.total, 3)
  assert.equal(stats.json.bucket_seconds, 60)
  const filled = stats.json.timeline.filter(({ count }: { count: number }) => count > 0)
  assert.equal(filled.length, 3)
  assert.ok(stats.json.timeline.length >= 180 && stats.json.timeline.length <= 181)
  const year = await call('/api/console/stats?source=timed&hours=8760', { key })
  assert.deepEqual([year.json.total, year.json.bucket_seconds], [3, 86_400])
})

test('statistics count exactly the events of their range, and a date counts to its end', async () => {
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
  const at = (time: string): string => `${day}T${time}Z`
  const times = ['00:00:00.000', '09:59:59.999', '10:20:30.000', '10:40:00.000', '23:59:59.999']
  await send(
    server,
    ...times.map((time) => sample(time, { source: 'exact', created_at: at(time) })),
    sample('the next day', {
      source: 'exact',
      created_at: new Date(Date.parse(at('23:59:59.999')) + 1).toISOString(),
    }),
  )
  const total = async (query: string): Promise<number> =>
    (await call(`/api/console/stats?source=exact&${query}`, { key })).json.total
  assert.equal(await total(`since=${day}&until=${day}`), 5)
  assert.equal((await list(server, `?source=exact&since=${day}&until=${day}`)).length, 5)
  assert.equal(await total(`since=${at('10:20:30')}&until=${at('10:40:00')}`), 1)
  assert.equal(await total(`since=${at('10:00:00')}&until=${at('10:40:00.001')}`), 2)
  // Long enough to be read from sums by hour; both ends lie within an hour.
  const week = new Date(Date.parse(at('10:30:00')) - 168 * 3_600_000).toISOString()
  assert.equal(await total(`since=${week}&until=${at('10:30:00')}`), 3)
  assert.equal(await total(`hours=168&until=${at('10:30:00')}`), 3)
  assert.equal(await total(`hours=168`), 6)
})

test('search understands phrases, or, and minus; a wildcard or pattern is only text', async () => {
  await send(
    server,
    sample('Payment failed', { source: 'words', message: 'card declined' }),
    sample('Payments are failing again', { source: 'words', message: 'timeout at the bank' }),
    sample('100% done', { source: 'words', message: '(a+)+$ or %_ or \\' }),
  )
  const search = async (q: string): Promise<string[]> => {
    const { status, json, text } = await call(`/api/console/search?source=words&q=${encodeURIComponent(q)}`, {
      key,
    })
    assert.equal(status, 200, text)
    return titles(json.data)
  }
  assert.deepEqual(await search('payment'), ['Payments are failing again', 'Payment failed'])
  assert.deepEqual(await search('"payment failed"'), ['Payment failed'])
  assert.deepEqual(await search('payment -timeout'), ['Payment failed'])
  assert.deepEqual(await search('declined or timeout'), ['Payments are failing again', 'Payment failed'])
  for (const q of ['%', '%%', '(a+)+$', "'; drop table x", '\\', '"', '-', 'a'.repeat(500), '!&|<->:*'])
    assert.ok((await search(q)).length <= 1, q)
})

const foundBy = async (q: string, more = ''): Promise<string[]> => {
  const { status, json, text } = await call(`/api/console/search?q=${encodeURIComponent(q)}${more}`, { key })
  assert.equal(status, 200, text)
  return titles(json.data)
}

test('a phrase is exact, common words included, and does not reach from the title into the message', async () => {
  await send(
    server,
    sample('State of the art', { source: 'phrase', message: 'ends here' }),
    sample('States of the art', { source: 'phrase' }),
    sample('The art of the state', { source: 'phrase' }),
    sample('It is what it is', { source: 'phrase' }),
  )
  const search = (q: string) => foundBy(q, '&source=phrase')
  assert.deepEqual(await search('"state of the art"'), ['State of the art'])
  assert.deepEqual(await search('"of the art"'), ['States of the art', 'State of the art'])
  assert.deepEqual(await search('"it is what it is"'), ['It is what it is'])
  assert.deepEqual(await search('"art ends"'), [])
  assert.deepEqual(await search('state -"state of the art"'), ['The art of the state', 'States of the art'])
})

test('parts of names, other languages and words beside typographic signs are found', async () => {
  const texts = [
    'at charge (src/checkout/pay.ts:12)',
    'class PgPoolClient was released',
    'connect_timeout exceeded',
    'Order2219 was refused',
    'Une idée NAÏVE',
    '“curly” – dash\u00a0space',
    'これは日本語です',
    'サーバー error',
  ]
  await send(server, ...texts.map((title) => sample(title, { source: 'names' })))
  const expected: Record<string, number> = {
    'pay.ts': 0,
    PgPool: 1,
    pool: 1,
    connect: 2,
    timeouts: 2,
    '2219': 3,
    naïve: 4,
    curly: 5,
    dash: 5,
    space: 5,
    日本語: 6,
    本: 6,
    サーバ: 7,
  }
  for (const [q, index] of Object.entries(expected))
    assert.deepEqual(await foundBy(q, '&source=names'), [texts[index]], q)
  assert.deepEqual(await foundBy('日語', '&source=names'), [])
})

test('statistics of a search count what its list has, by time, severity and filter', async () => {
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()
  await send(
    server,
    sample('Tapir seen', { source: 'counted', severity: 'error', created_at: at(90) }),
    sample('Two tapirs', { source: 'counted', service: 'zoo', created_at: at(90) }),
    sample('TapirHouse opened', { source: 'counted', created_at: at(1) }),
    sample('No such animal', { source: 'counted', created_at: at(1) }),
    sample('Tapir long ago', { source: 'counted', created_at: at(40 * 60) }),
  )
  const stats = async (query: string) => (await call(`/api/console/stats?${query}`, { key })).json
  const day = await stats('q=tapir&hours=24')
  const filled = day.timeline.filter(({ count }: { count: number }) => count > 0)
  assert.deepEqual(
    [
      day.total,
      day.by_severity,
      filled.map(({ count, errors }: { count: number; errors: number }) => [count, errors]),
    ],
    [
      3,
      { info: 2, error: 1 },
      [
        [2, 1],
        [1, 0],
      ],
    ],
  )
  assert.equal(day.total, (await foundBy('tapir', `&since=${at(24 * 60)}`)).length)
  assert.equal((await stats('q=tapir&hours=72')).total, 4)
  assert.equal((await stats('q=tapir&service=zoo')).total, 1)
  assert.equal((await stats(`q=${encodeURIComponent('"two tapirs"')}`)).total, 1)
  assert.equal((await stats('q=the')).total, 0)
  assert.equal((await call('/api/console/stats?q=%20', { key })).status, 400)
})

test('a highlight is escaped text with marks around the words, and nothing else', async () => {
  const title = '<img src=x onerror=alert(1)> </mark><b>giraffe</b> & "more"'
  await send(server, sample(title, { source: 'html' }))
  const { json } = await call('/api/console/search?q=giraffe', { key })
  const { highlight } = json.data[0] as { highlight: string }
  assert.deepEqual(highlight.match(/<[^>]*>/g), ['<mark>', '</mark>'])
  const parts = highlightParts(highlight)
  assert.deepEqual(
    parts.filter(({ isMatch }) => isMatch),
    [{ text: 'giraffe', isMatch: true }],
  )
  assert.ok(highlight.includes('&amp; &quot;more&quot;'), highlight)
})

test('the best match comes first when asked for, page by page', async () => {
  await send(
    server,
    sample('okapi okapi', { source: 'rank', message: 'okapi' }),
    sample('something else', { source: 'rank', message: 'one okapi among many other words' }),
  )
  const first = await call('/api/console/search?q=okapi&sort=rank&limit=1', { key })
  assert.deepEqual(titles(first.json.data), ['okapi okapi'])
  const second = await call(
    `/api/console/search?q=okapi&sort=rank&limit=1&cursor=${first.json.next_cursor}`,
    { key },
  )
  assert.deepEqual(titles(second.json.data), ['something else'])
  assert.equal(second.json.next_cursor, null)
})

test('a rare event behind thousands of others is found by filter and by word', async () => {
  await send(server, sample('needle quagga', { source: 'rare', service: 'needle', type: 'config' }))
  const hay = Array.from({ length: 1_000 }, (_, at) =>
    sample(at % 100 === 0 ? 'hay bale' : 'hay', { source: 'hay' }),
  )
  for (let call = 0; call < 6; call++) await send(server, ...hay)
  assert.deepEqual(titles(await list(server, '?service=needle')), ['needle quagga'])
  assert.deepEqual(titles(await list(server, '?type=config&source=rare')), ['needle quagga'])
  const { json } = await call('/api/console/search?q=quagga', { key })
  assert.deepEqual(titles(json.data), ['needle quagga'])
  // One in a hundred: neither rare nor enough among the newest.
  const { json: first } = await call('/api/console/search?q=bale&limit=50', { key })
  const { json: second } = await call(`/api/console/search?q=bale&limit=50&cursor=${first.next_cursor}`, {
    key,
  })
  assert.deepEqual([first.data.length, second.data.length, second.next_cursor], [50, 10, null])
  // Common, behind a burst of others; the planner knows that it is.
  const burst = Array.from({ length: 1_100 }, () => sample('straw', { source: 'burst' }))
  for (let call = 0; call < 2; call++) await send(server, ...burst)
  await administer('analyze console.events', databaseOf(server))
  const { json: common } = await call('/api/console/search?q=hay&limit=50', { key })
  assert.deepEqual([common.data.length, common.data[0]?.source], [50, 'hay'])
})

test('saved views are kept by name and deleted by id', async () => {
  const save = (json: object) => call('/api/console/views', { key, json })
  const { status, json } = await save({ name: 'Errors', query: 'severity=error' })
  assert.equal(status, 201)
  await save({ name: 'Errors', query: 'severity=critical' })
  const { json: views } = await call('/api/console/views', { key })
  assert.deepEqual(
    views.data.map(({ name, query }: { name: string; query: string }) => [name, query]),
    [['Errors', 'severity=critical']],
  )
  assert.equal((await call(`/api/console/views/${json.id}`, { key, method: 'DELETE' })).status, 204)
  assert.equal((await call(`/api/console/views/${json.id}`, { key, method: 'DELETE' })).status, 404)
  assert.equal((await save({ name: '', query: '' })).status, 400)
})

test('an API key without the scope admin neither saves nor deletes views', async () => {
  const { json: made } = await call('/api/v1/keys', { json: { name: 'CI', scopes: ['read', 'events'] } })
  const view = { name: 'Deployments', query: 'type=deployment' }
  const { json: saved } = await call('/api/console/views', { json: view })
  assert.equal((await call('/api/console/views', { key: made.key, json: view })).status, 403)
  const path = `/api/console/views/${saved.id}`
  assert.equal((await call(path, { key: made.key, method: 'DELETE' })).status, 403)
  assert.equal((await call(path, { method: 'DELETE' })).status, 204)
})
