import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { OpenEntry, Outcome, Usage } from '#gateway'
import { createTestDatabase } from '#test/database'
import { newRequestId, requestTime, requestUuid } from '#kernel/uuid'
import { priceRequest } from './price-request.ts'

const requestId = newRequestId()
const entry: OpenEntry = {
  requestId,
  startedAt: requestTime(requestId),
  groupId: '00000000-0000-4000-8000-000000000001',
  apiKeyId: null,
  provider: 'openai',
  providerKeyId: null,
  model: 'gpt-4o',
  endpoint: '/v1/chat/completions',
  isStream: false,
  userLabel: null,
  sessionKey: null,
  subagentKey: null,
  metadata: null,
}
const outcome: Outcome = {
  endedAt: new Date(entry.startedAt.getTime() + 1_234),
  statusCode: 200,
  errorMessage: null,
  ttftMs: null,
  usage: null,
  upstreamRequestId: null,
  estimateFrom: null,
}
const usage: Usage = {
  uncached: 10,
  cacheRead: 20,
  cacheWrite: 30,
  cacheWriteLong: 40,
  output: 50,
  reasoning: 5,
  audioInput: 3,
  audioOutput: 2,
  statedCost: '0.10',
  units: { web_search: 1 },
}
const noPrices = { priceFor: () => null }

test('the parts of the input add up to the prompt, and the id is that of the request', () => {
  const row = priceRequest({ entry, outcome: { ...outcome, usage } }, noPrices)
  assert.equal(row.id, requestId.slice(4))
  assert.equal(requestUuid('req_019a0000000070008000000000000001'), '019a0000-0000-7000-8000-000000000001')
  assert.deepEqual(
    [row.prompt_tokens, row.cached_tokens, row.cache_write_tokens, row.cache_write_long_tokens],
    [100, 20, 70, 40],
  )
  assert.deepEqual([row.completion_tokens, row.reasoning_tokens, row.duration_ms], [50, 5, 1_234])
  assert.deepEqual([row.stated_cost, row.usage_source, row.units], ['0.1', 'provider', { web_search: 1 }])
})

test('counted tokens are marked as an estimate; nothing known is none', () => {
  const counted = priceRequest({ entry, outcome, counted: { prompt: 7, completion: 9 } }, noPrices)
  assert.deepEqual(
    [counted.prompt_tokens, counted.completion_tokens, counted.usage_source],
    [7, 9, 'estimated'],
  )
  assert.equal(priceRequest({ entry, outcome }, noPrices).usage_source, 'none')
  // A provider that was cut off had told what it read, and that it had written a first token.
  const cut = priceRequest(
    { entry, outcome: { ...outcome, usage: { ...usage, output: 1 } }, counted: { prompt: 7, completion: 9 } },
    noPrices,
  )
  assert.deepEqual([cut.prompt_tokens, cut.completion_tokens, cut.usage_source], [100, 9, 'estimated'])
  const told = priceRequest(
    { entry, outcome: { ...outcome, usage }, counted: { prompt: 7, completion: 60 } },
    noPrices,
  )
  assert.deepEqual([told.prompt_tokens, told.completion_tokens, told.usage_source], [100, 50, 'provider'])
})

test('a clock that goes back, and a provider that claims nonsense, leave a row that can be stored', () => {
  const mad = {
    ...usage,
    uncached: 1e300,
    output: Number.NaN,
    cacheRead: -5,
    reasoning: 1.9,
    statedCost: '1e9',
  }
  const row = priceRequest(
    { entry, outcome: { ...outcome, endedAt: new Date(0), usage: { ...mad, units: { a: Infinity } } } },
    noPrices,
  )
  assert.deepEqual([row.duration_ms, row.ended_at], [0, row.started_at])
  assert.deepEqual([row.completion_tokens, row.cached_tokens, row.reasoning_tokens], [0, 0, 1])
  assert.ok(row.prompt_tokens <= 1e12 + 70)
  assert.deepEqual([row.stated_cost, row.units], [null, null])
})

test('PostgreSQL takes whatever a client sent, as text and as JSON', async () => {
  let deep: unknown = 'bottom'
  for (let level = 0; level < 4_000; level++) deep = [deep]
  const hostile = 'NUL \0 half \ud800 pair \udc00 and \u{1f600}'
  const row = priceRequest(
    {
      entry: {
        ...entry,
        model: hostile.repeat(100),
        userLabel: hostile,
        metadata: { [hostile]: hostile, list: [hostile, 1, null], deep, ['__proto__']: 1 },
      },
      outcome: { ...outcome, errorMessage: hostile.repeat(1_000) },
    },
    noPrices,
  )
  assert.equal(row.model.length, 300)
  const target = await createTestDatabase()
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  try {
    const { rows } = await client.query<{ model: string; metadata: Record<string, unknown> }>(
      `select given.model, given.metadata from jsonb_to_record($1::jsonb) as given(model text, metadata jsonb)`,
      [JSON.stringify(row)],
    )
    assert.equal(rows[0]?.model, row.model)
    assert.deepEqual(rows[0]?.metadata['list'], ['NUL \ufffd half \ufffd pair \ufffd and \u{1f600}', 1, null])
  } finally {
    await client.end()
  }
})
