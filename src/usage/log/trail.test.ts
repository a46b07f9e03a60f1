import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import type { LedgerAttempt } from '../tables.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const { groupId } = product.first
const call = (path: string) => product.call(path, { key: product.key })

const [dearId, cheapId, keyA, keyB] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
await database.pool.query(
  `insert into usage.model_pricing (id, model_id, source, input_price_per_1m, output_price_per_1m, effective_from)
   values ($1, 'dear', 'built_in', 2, 10, '2020-01-01'), ($2, 'cheap', 'built_in', 1, 4, '2020-01-01')`,
  [dearId, cheapId],
)
const billed: LedgerAttempt = {
  provider: 'openai',
  provider_key_id: keyA,
  model: 'dear',
  status_code: 200,
  error_code: 'response_unreadable',
  started_at: '2026-03-01T10:00:00.000Z',
  duration_ms: 300,
  usage_source: 'provider',
  price_id: dearId,
  input_cost: '0.002',
  output_cost: '0.001',
  prompt_tokens: 1_000,
  completion_tokens: 100,
}
const refused: LedgerAttempt = {
  ...{
    provider: 'openai',
    provider_key_id: keyA,
    model: 'dear',
    status_code: 429,
    error_code: 'rate_limited',
  },
  ...{ started_at: '2026-03-01T10:00:00.300Z', duration_ms: 20, usage_source: 'none' as const },
  ...{ price_id: null, input_cost: '0', output_cost: '0' },
}
const answer: LedgerAttempt = {
  ...billed,
  provider: 'anthropic',
  provider_key_id: keyB,
  model: 'cheap',
  error_code: null,
  started_at: '2026-03-01T10:00:00.320Z',
  duration_ms: 600,
  price_id: cheapId,
  input_cost: '0.001',
  output_cost: '0.0002',
  completion_tokens: 50,
}
const tried = newRow(groupId, new Date('2026-03-01T10:00:00.000Z'), {
  provider: 'anthropic',
  provider_key_id: keyB,
  model: 'cheap',
  price_id: cheapId,
  prompt_tokens: 2_000,
  completion_tokens: 150,
  input_cost: '0.003',
  output_cost: '0.0012',
  route: '=fast',
  attempts: [billed, refused, answer],
  attempt_count: 3,
  upstream_ms: 920,
  duration_ms: 925,
})
const plain = newRow(groupId, new Date('2026-03-02T10:00:00Z'), { provider_key_id: keyA, upstream_ms: 1_199 })
const early = newRow(groupId, new Date('2026-03-03T10:00:00Z'), { provider: null, status_code: 400 })
await insertRows(database.pool, [tried, plain, early])

const detail = async ({ id }: { id: string }) => (await call(`/api/v1/logs/${id}`)).json

test('the list says which route a request named, how many calls it took and where its time went', async () => {
  const { json } = await call('/api/v1/logs')
  assert.deepEqual(
    json.data.map((row: Record<string, unknown>) => [
      row['route'],
      row['attempt_count'],
      row['upstream_ms'],
      row['own_ms'],
    ]),
    [
      [null, 0, null, null],
      [null, 1, 1_199, 1],
      ['=fast', 3, 920, 5],
    ],
  )
})

test('the log and its sums are narrowed to a route, and to requests that took several calls', async () => {
  const narrowed = async (query: string) => {
    const { json } = await call(`/api/v1/logs?${query}`)
    const { json: summed } = await call(`/api/v1/logs/summary?${query}`)
    const file = await call(`/api/v1/logs/export?format=json&${query}`)
    const ids = json.data.map((row: { id: string }) => row.id)
    assert.deepEqual([json.total, summed.requests, JSON.parse(file.text).length], Array(3).fill(ids.length))
    return { ids, cost: summed.total_cost }
  }
  const found = { ids: [tried.id], cost: '0.0042' }
  for (const query of [
    'route=%3Dfast',
    'min_attempts=2',
    'min_attempts=3&route=%3Dfast&model=cheap&provider=anthropic&status=ok',
    'route=%3Dfast&start_date=2026-03-01&end_date=2026-03-01',
  ])
    assert.deepEqual(await narrowed(query), found, query)
  for (const query of [
    'route=fast',
    'min_attempts=4',
    'route=%3Dfast&model=dear',
    'min_attempts=2&since=2026-03-02T00:00:00Z',
  ])
    assert.deepEqual(await narrowed(query), { ids: [], cost: null }, query)
  for (const query of [
    'min_attempts=1',
    'min_attempts=11',
    'min_attempts=2.5',
    'route=',
    `route=${'x'.repeat(101)}`,
  ]) {
    const { status, json } = await call(`/api/v1/logs?${query}`)
    assert.deepEqual([status, json.error.param], [400, query.split('=')[0]], query)
  }
})

test('the calls of a request are listed in order, and their costs add up to its cost', async () => {
  const { attempts, total_cost, cost_lines, price } = await detail(tried)
  assert.deepEqual(attempts[0], {
    provider: 'openai',
    provider_key_id: keyA,
    model: 'dear',
    status_code: 200,
    error_code: 'response_unreadable',
    started_at: '2026-03-01T10:00:00.000Z',
    duration_ms: 300,
    prompt_tokens: 1_000,
    completion_tokens: 100,
    total_cost: '0.003',
  })
  assert.deepEqual(
    attempts.map((each: Record<string, unknown>) => [each['model'], each['error_code'], each['total_cost']]),
    [
      ['dear', 'response_unreadable', '0.003'],
      ['dear', 'rate_limited', '0'],
      ['cheap', null, '0.0012'],
    ],
  )
  assert.equal(total_cost, '0.0042')
  assert.equal(price.model_id, 'cheap')
  assert.deepEqual(
    cost_lines.map((line: Record<string, unknown>) => [
      line['side'],
      line['what'],
      line['price'],
      line['cost'],
    ]),
    [
      ['input', 'Input, attempt 1', '2', '0.002'],
      ['output', 'Output, attempt 1', '10', '0.001'],
      ['input', 'Input', '1', '0.001'],
      ['output', 'Output', '4', '0.0002'],
    ],
  )
})

test('a request with one call has it as its only attempt; one that was refused before has none', async () => {
  const { attempts } = await detail(plain)
  assert.deepEqual(
    attempts.map((each: Record<string, unknown>) => [
      each['provider'],
      each['provider_key_id'],
      each['status_code'],
      each['duration_ms'],
      each['prompt_tokens'],
      each['total_cost'],
    ]),
    [['openai', keyA, 200, 1_199, 100, '0.0003']],
  )
  assert.deepEqual((await detail(early)).attempts, [])
})

test('an export has the same, and guards a route that looks like a formula', async () => {
  const csv = await call('/api/v1/logs/export?format=csv')
  const [head = '', ...lines] = csv.text.trim().split('\r\n')
  const from = head.split(',').indexOf('route')
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(from)),
    [
      ['', '0', '', ''],
      ['', '1', '1199', '1'],
      ["'=fast", '3', '920', '5'],
    ],
  )
  const json = JSON.parse((await call('/api/v1/logs/export?format=json')).text) as Record<string, unknown>[]
  assert.deepEqual([json[2]?.['route'], json[2]?.['attempt_count'], json[2]?.['own_ms']], ['=fast', 3, 5])
})
