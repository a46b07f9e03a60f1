import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attempt, Outcome, Usage } from '#gateway'
import { newEntry, newOutcome } from '../ledger/testing.ts'
import type { LedgerRow, PriceRow } from '../row.ts'
import { priceRequest } from './price-request.ts'

const keyIds = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const

const usageOf = (input: number, output: number): Usage => ({
  uncached: input,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  statedCost: null,
  units: {},
})

const priceOf = (model: string, input: string, output: string): PriceRow => ({
  id: `00000000-0000-4000-8000-0000000000${model === 'dear' ? 'd1' : 'c1'}`,
  group_id: null,
  model_id: model,
  source: 'built_in',
  input_price_per_1m: input,
  output_price_per_1m: output,
  cache_read_price_per_1m: null,
  cache_write_price_per_1m: null,
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: null,
  tiers: null,
  effective_from: '2020-01-01T00:00:00.000Z',
  effective_to: null,
})
const known = new Map([
  ['dear', priceOf('dear', '2', '10')],
  ['cheap', priceOf('cheap', '1', '4')],
])
const prices = {
  priceFor: (_group: string, _provider: string | null, model: string) => {
    const row = known.get(model)
    return row ? { row, isStored: false } : null
  },
}

const first: Attempt = {
  provider: 'openai',
  providerKeyId: keyIds[0],
  model: 'dear',
  statusCode: 503,
  errorCode: 'provider_error',
  startedAt: new Date('2026-11-15T10:00:00.000Z'),
  durationMs: 120,
  usage: null,
}
const second: Attempt = {
  ...first,
  provider: 'anthropic',
  providerKeyId: keyIds[1],
  model: 'cheap',
  statusCode: 200,
  errorCode: null,
  startedAt: new Date('2026-11-15T10:00:00.200Z'),
  durationMs: 800,
  usage: usageOf(1_000, 50),
}
const answeredBy = { provider: 'anthropic', providerKeyId: keyIds[1], model: 'cheap' }

function rowOf(attempts: readonly Attempt[], outcome: Partial<Outcome> = {}): LedgerRow {
  const { estimateFrom: _, ...settled } = newOutcome({
    usage: second.usage,
    answeredBy,
    attempts,
    upstreamMs: 920,
    ...outcome,
  })
  const entry = newEntry({ model: 'dear', providerKeyId: keyIds[0], route: 'fast' })
  return priceRequest({ entry, outcome: settled }, prices)
}
const costsOf = (row: LedgerRow) => [row.input_cost, row.output_cost]

test('the row is that of the provider that answered, with every call beside it', () => {
  const row = rowOf([first, second])
  assert.deepEqual([row.provider, row.provider_key_id, row.model], ['anthropic', keyIds[1], 'cheap'])
  assert.deepEqual([row.route, row.attempt_count, row.upstream_ms], ['fast', 2, 920])
  // 1,000 × $1 and 50 × $4 for a million; what was refused costs nothing.
  assert.deepEqual(costsOf(row), ['0.001', '0.0002'])
  assert.deepEqual(row.attempts, [
    {
      provider: 'openai',
      provider_key_id: keyIds[0],
      model: 'dear',
      status_code: 503,
      error_code: 'provider_error',
      started_at: '2026-11-15T10:00:00.000Z',
      duration_ms: 120,
      usage_source: 'none',
      price_id: null,
      input_cost: '0',
      output_cost: '0',
    },
    {
      provider: 'anthropic',
      provider_key_id: keyIds[1],
      model: 'cheap',
      status_code: 200,
      error_code: null,
      started_at: '2026-11-15T10:00:00.200Z',
      duration_ms: 800,
      usage_source: 'provider',
      price_id: known.get('cheap')?.id,
      input_cost: '0.001',
      output_cost: '0.0002',
      prompt_tokens: 1_000,
      completion_tokens: 50,
    },
  ])
})

test('two calls that were billed are both paid for, each by the price of its own model', () => {
  const row = rowOf([{ ...first, statusCode: 200, usage: usageOf(1_000, 100) }, second])
  // dear: 1,000 × $2 and 100 × $10 for a million; cheap: $0.001 and $0.0002.
  assert.deepEqual(costsOf(row), ['0.003', '0.0012'])
  assert.deepEqual([row.prompt_tokens, row.completion_tokens], [2_000, 150])
  assert.deepEqual(
    row.new_prices.map((price) => price.model_id),
    ['cheap', 'dear'],
    'the database gets both prices',
  )
})

test('a call that was waited for in vain has no known cost, and the rest of the request has', () => {
  const late = { ...first, statusCode: null, errorCode: 'first_token_timeout' }
  const row = rowOf([late, second])
  assert.deepEqual(
    row.attempts?.map((attempt) => attempt.input_cost),
    [null, '0.001'],
  )
  assert.deepEqual(costsOf(row), ['0.001', '0.0002'])
  const refused = rowOf([{ ...first, statusCode: null, errorCode: 'provider_error' }, second])
  assert.equal(refused.attempts?.[0]?.input_cost, '0', 'it never got through')
})

test('while nobody knows what the answer cost, nobody knows what the request cost', () => {
  const billed = { ...first, statusCode: 200, usage: usageOf(1_000, 100) }
  const unpriced = { ...second, model: 'new' }
  const row = rowOf([billed, unpriced], { answeredBy: { ...answeredBy, model: 'new' } })
  assert.deepEqual(costsOf(row), [null, null])
  assert.equal(row.attempts?.[0]?.input_cost, '0.002')
})

test('a target that was passed over is in the trail, and is no call', () => {
  const skipped = { ...first, statusCode: null, errorCode: 'budget_exceeded', durationMs: 0, isSkipped: true }
  const row = rowOf([skipped, second])
  assert.deepEqual([row.attempt_count, row.attempts?.length], [1, 2])
  const blocked = rowOf([], { statusCode: 429, usage: null })
  assert.deepEqual([blocked.attempt_count, blocked.attempts, blocked.input_cost], [0, null, '0'])
})

test('a trail is bounded, and keeps the call that answered', () => {
  const row = rowOf([...Array.from({ length: 50 }, () => first), second])
  assert.equal(row.attempts?.length, 32)
  assert.equal(row.attempts.at(-1)?.model, 'cheap')
  const long = { ...first, errorCode: `a\0${'b'.repeat(200)}`, model: 'm'.repeat(400) }
  const [kept] = rowOf([long, second]).attempts ?? []
  assert.deepEqual(
    [kept?.error_code?.length, kept?.model.length, kept?.error_code?.includes('\0')],
    [100, 300, false],
  )
})
