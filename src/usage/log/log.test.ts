import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { usageLog } from '../contract.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const { groupId } = product.first
const call = (path: string) => product.call(path, { key: product.key })
const own = (await call('/api/v1/keys')).json.data[0] as { id: string; name: string }

const priceId = randomUUID()
await database.pool.query(
  `insert into usage.model_pricing (id, model_id, source, input_price_per_1m, output_price_per_1m, effective_from)
   values ($1, 'gpt-6-sol', 'built_in', 2, 10, '2020-01-01')`,
  [priceId],
)
// 1,000 tokens at $2 and 50 at $10 for a million: $0.002 and $0.0005.
const cheap = newRow(groupId, new Date('2026-03-01T10:00:00.123Z'), {
  api_key_id: own.id,
  price_id: priceId,
  prompt_tokens: 1_000,
  completion_tokens: 50,
  input_cost: '0.002',
  output_cost: '0.0005',
  user_label: '=HYPERLINK("http://evil.example")',
  metadata: { note: 'a "quote", a comma\nand a line' },
  units: { web_search: 2 },
  ttft_ms: 80,
})
const failed = newRow(groupId, new Date('2026-03-01T23:59:59.999Z'), {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  status_code: 429,
  error_message: 'too many requests',
  prompt_tokens: 0,
  completion_tokens: 0,
  usage_source: 'none',
  input_cost: null,
  output_cost: null,
})
const later = newRow(groupId, new Date('2026-03-03T00:00:00.000Z'), { usage_source: 'estimated' })
const foreign = newRow(randomUUID(), new Date('2026-03-01T10:30:00Z'))
await insertRows(database.pool, [cheap, failed, later, foreign])

const ids = async (query: string): Promise<string[]> =>
  (await call(`/api/v1/logs?${query}`)).json.data.map((row: { id: string }) => row.id)

test('the log shows the group its own requests, newest first, with every field', async () => {
  const { status, json } = await call('/api/v1/logs')
  assert.equal(status, 200)
  assert.deepEqual(
    { ...json, data: json.data.length, api_key_names: Object.values(json.api_key_names) },
    {
      data: 3,
      api_key_names: ['First key'],
      limit: 50,
      offset: 0,
      total: 3,
      next_cursor: null,
    },
  )
  assert.deepEqual(
    json.data.map((row: { id: string }) => row.id),
    [later.id, failed.id, cheap.id],
  )
  const row = json.data[2]
  assert.deepEqual(Object.keys(row), Object.keys(usageLog.shape))
  assert.equal(row.request_id, `req_${cheap.id.replaceAll('-', '')}`)
  assert.equal(row.created_at, '2026-03-01T10:00:00.123Z')
  assert.equal(row.total_tokens, 1_050)
  assert.deepEqual([row.input_cost, row.output_cost, row.total_cost], ['0.002', '0.0005', '0.0025'])
  assert.deepEqual(row.metadata, cheap.metadata)
  const unpriced = json.data[1]
  assert.deepEqual([unpriced.input_cost, unpriced.output_cost, unpriced.total_cost], [null, null, null])
})

test('every filter narrows the log, and the last day counts to its end', async () => {
  assert.deepEqual(await ids('start_date=2026-03-01&end_date=2026-03-01'), [failed.id, cheap.id])
  assert.deepEqual(await ids('start_date=2026-03-02'), [later.id])
  assert.deepEqual(await ids('end_date=2026-02-28'), [])
  assert.deepEqual(await ids('model=claude-sonnet-5-5'), [failed.id])
  assert.deepEqual(await ids('provider=anthropic'), [failed.id])
  assert.deepEqual(await ids('provider=alpha'), [failed.id], "the specification's word")
  assert.deepEqual(await ids('provider=nobody'), [])
  assert.deepEqual(await ids(`api_key_id=${own.id}`), [cheap.id])
  assert.deepEqual(await ids('api_key_id=none'), [later.id, failed.id])
  assert.deepEqual(await ids('status=error'), [failed.id])
  assert.deepEqual(await ids('status=ok&model=gpt-6-sol&provider=openai&end_date=2026-03-02'), [cheap.id])
})

test('a filter takes several values, and one of them is enough', async () => {
  assert.deepEqual(await ids('model=claude-sonnet-5-5&model=gpt-6-sol'), [later.id, failed.id, cheap.id])
  assert.deepEqual(await ids('provider=alpha&provider=nobody'), [failed.id])
  assert.deepEqual(await ids(`api_key_id=${own.id}&api_key_id=none`), [later.id, failed.id, cheap.id])
  assert.deepEqual(await ids(`api_key_id=none&model=gpt-6-sol&model=other`), [later.id])
})

test('a time of day bounds the log to the millisecond, and the sums with it', async () => {
  assert.deepEqual(await ids('since=2026-03-01T10:00:00.123Z&until=2026-03-01T23:59:59.999Z'), [cheap.id])
  assert.deepEqual(await ids('since=2026-03-01T10:00:00.124Z'), [later.id, failed.id])
  assert.deepEqual(await ids('since=2026-03-01T11:00:00%2B01:00&until=2026-03-03T00:00:00Z'), [
    failed.id,
    cheap.id,
  ])
  const { json } = await call(
    '/api/v1/logs/summary?since=2026-03-01T10:00:00.123Z&until=2026-03-03T00:00:00.001Z',
  )
  // $0.0025 of the first, $0.0003 of the third; the second has no price.
  assert.deepEqual([json.requests, json.errors, json.total_cost], [3, 1, '0.0028'])
})

test('a text finds names of models, providers and keys, and the beginning of an id; another group has none of it', async () => {
  assert.deepEqual(await ids('q=SONNET'), [failed.id])
  assert.deepEqual(await ids('q=openai'), [later.id, cheap.id])
  assert.deepEqual(await ids(`q=${encodeURIComponent(own.name.toUpperCase())}`), [cheap.id])
  assert.deepEqual(await ids('q=%25'), [], 'no pattern')
  assert.deepEqual(await ids(`q=req_${cheap.id.replaceAll('-', '')}`), [cheap.id])
  assert.deepEqual(await ids(`q=${cheap.id.slice(0, 13)}`), [cheap.id])
  assert.deepEqual(await ids(`q=${cheap.id.slice(0, 6)}`), [], 'too short for an id')
  assert.deepEqual(await ids(`q=${foreign.id}`), [])
  const { json } = await call(`/api/v1/logs/summary?q=${cheap.id}`)
  assert.deepEqual([json.requests, json.total_cost], [1, '0.0025'])
})

test('percentiles are those of the requests that match', async () => {
  assert.deepEqual((await call('/api/v1/logs/percentiles')).json, {
    requests: 3,
    is_all: true,
    duration_ms: { p50: 1_200, p95: 1_200 },
    ttft_ms: { p50: 80, p95: 80 },
  })
  assert.deepEqual((await call('/api/v1/logs/percentiles?model=nobody')).json, {
    requests: 0,
    is_all: true,
    duration_ms: { p50: null, p95: null },
    ttft_ms: { p50: null, p95: null },
  })
})

test('a bad parameter is refused by name and never ignored', async () => {
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=10001', 'offset'],
    ['start_date=2026-02-30', 'start_date'],
    ['start_date=01.02.2026', 'start_date'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
    ['api_key_id=mine', 'api_key_id'],
    ['status=bad', 'status'],
    ['model=', 'model'],
    ['model=a&model=', 'model.1'],
    ['model=a&'.repeat(51), 'model'],
    ['status=ok&status=error', 'status'],
    ['api_key_id=none&api_key_id=mine', 'api_key_id.1'],
    ['since=yesterday', 'since'],
    ['since=2026-03-01', 'since'],
    ['since=2026-03-01T25:00:00Z', 'since'],
    ['since=2026-03-01T10:00:00Z&start_date=2026-03-01', 'since'],
    ['until=2026-03-01T10:00:00Z&end_date=2026-03-01', 'until'],
    ['since=2026-03-01T10:00:00Z&until=2026-03-01T11:00:00%2B01:00', 'until'],
    ['q=', 'q'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['cursor=next', 'cursor'],
    [`cursor=${cheap.id}&offset=1`, 'offset'],
    ['modell=gpt', 'modell'],
  ]) {
    const { status, json } = await call(`/api/v1/logs?${query}`)
    assert.equal(status, 400, query)
    assert.equal(json.error.param, param, query)
    assert.equal(json.error.code, 'invalid_request')
  }
  for (const path of ['by-model', 'by-provider', 'by-key', 'daily', 'hourly'])
    assert.equal((await call(`/api/v1/analytics/${path}?status=ok`)).json.error.param, 'status', path)
  assert.equal((await call('/api/v1/analytics/hourly?start_date=2026-03-01')).json.error.param, 'end_date')
  assert.equal((await call('/api/v1/logs/export?format=xml')).json.error.param, 'format')
})

test('a page far behind is reached by the cursor: a large offset is refused, and the error says so', async () => {
  const { status, json } = await call('/api/v1/logs?offset=5000000')
  assert.equal(status, 400)
  assert.match(json.error.message, /offset.*at most 10000.*use cursor/)
  assert.equal((await call('/api/v1/logs?offset=10000')).status, 200)
})

test('one request is returned with its price and its cost line by line', async () => {
  const { status, json } = await call(`/api/v1/logs/req_${cheap.id.replaceAll('-', '')}`)
  assert.equal(status, 200)
  assert.equal(json.price.input_price_per_1m, '2')
  assert.equal(json.api_key_name, own.name)
  assert.deepEqual(
    json.cost_lines.map((line: { what: string; cost: string }) => [line.what, line.cost]),
    [
      ['Input', '0.002'],
      ['Output', '0.0005'],
    ],
  )
  const other = (await call(`/api/v1/logs/${failed.id}`)).json
  assert.deepEqual([other.price, other.cost_lines, other.api_key_name], [null, null, null])
})

test('requests of other groups, and ids that are none, are not found', async () => {
  for (const id of [foreign.id, randomUUID(), 'req_0', "'; drop table"])
    assert.equal((await call(`/api/v1/logs/${encodeURIComponent(id)}`)).status, 404, id)
  assert.equal((await product.call('/api/v1/logs')).status, 200, 'the local owner may read')
})

test('sums name what was not priced, and an average over nothing is null', async () => {
  const models = (await call('/api/v1/analytics/by-model')).json.data
  assert.deepEqual(
    models.map((row: { model: string; requests: number; total_cost: string | null }) => [
      row.model,
      row.requests,
      row.total_cost,
    ]),
    [
      ['gpt-6-sol', 2, '0.0028'],
      ['claude-sonnet-5-5', 1, null],
    ],
  )
  assert.deepEqual([models[1].errors, models[1].unpriced_requests, models[0].estimated_requests], [1, 1, 1])
  const keys = (await call('/api/v1/analytics/by-key')).json.data
  assert.deepEqual(
    keys.map((row: { api_key_id: string; api_key_name: string }) => [row.api_key_id, row.api_key_name]),
    [
      [own.id, own.name],
      [null, null],
    ],
  )
  const nothing = (await call('/api/v1/logs/summary?model=none')).json
  assert.deepEqual([nothing.requests, nothing.total_cost, nothing.avg_duration_ms], [0, null, null])
})

test('a range with both ends has every day and hour of it, an open one only those with requests', async () => {
  const dates = async (query: string): Promise<[string, number][]> =>
    (await call(`/api/v1/analytics/daily?${query}`)).json.data.map(
      (row: { date: string; requests: number }) => [row.date, row.requests],
    )
  assert.deepEqual(await dates('start_date=2026-02-28&end_date=2026-03-03'), [
    ['2026-02-28', 0],
    ['2026-03-01', 2],
    ['2026-03-02', 0],
    ['2026-03-03', 1],
  ])
  assert.deepEqual(await dates('start_date=2026-02-28'), [
    ['2026-03-01', 2],
    ['2026-03-03', 1],
  ])
  const hours = (await call('/api/v1/analytics/hourly?start_date=2026-03-01&end_date=2026-03-01')).json.data
  assert.equal(hours.length, 24)
  assert.deepEqual(
    hours.filter((row: { requests: number }) => row.requests > 0).map((row: { hour: string }) => row.hour),
    ['2026-03-01T10:00:00.000Z', '2026-03-01T23:00:00.000Z'],
  )
})

test('an export has the names of the fields first, quotes what needs it, and disarms formulas', async () => {
  const { status, headers, text } = await call(
    '/api/v1/logs/export?start_date=2026-03-01&end_date=2026-03-01',
  )
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.equal(
    headers.get('content-disposition'),
    'attachment; filename="signalbox-usage-2026-03-01-to-2026-03-01.csv"',
  )
  assert.ok(text.startsWith(`${Object.keys(usageLog.shape).join(',')}\r\n${failed.id},req_`))
  assert.ok(text.endsWith('\r\n'))
  assert.ok(text.includes(`,"'=HYPERLINK(""http://evil.example"")",1000,50,1050,`))
  assert.ok(text.includes(`,"{""note"": ""a \\""quote\\"", a comma\\nand a line""}",`))
  const kept = (await call('/api/v1/logs/export?formulas=keep')).text
  assert.ok(kept.includes(`,"=HYPERLINK(""http://evil.example"")",`))
})

test('a JSON export is an array of the same rows, also when there are none', async () => {
  const { json, headers } = await call('/api/v1/logs/export?format=json')
  assert.deepEqual(json, (await call('/api/v1/logs')).json.data)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual((await call('/api/v1/logs/export?format=json&model=none')).json, [])
})

test('a formula behind white space, or with a full-width sign, is disarmed in an export too', async () => {
  const harmful = [
    ' =1+1',
    '\u00a0=1+1',
    '\u3000+1',
    '\ufeff@SUM(1)',
    '\t-1',
    '\uff1d1+1',
    '\uff0b1',
    '\uff0d1',
    '\uff201',
  ]
  const harmless = ['a=1', ' plain', '1-1', '(=1)']
  const at = new Date('2026-03-07T10:00:00Z')
  const rows = [...harmful, ...harmless].map((user_label) => newRow(groupId, at, { user_label }))
  await insertRows(database.pool, rows)
  const { text } = await call('/api/v1/logs/export?start_date=2026-03-07&end_date=2026-03-07')
  for (const label of harmful) assert.ok(text.includes(`,'${label},`), JSON.stringify(label))
  for (const label of harmless) assert.ok(text.includes(`,${label},`), JSON.stringify(label))
})
