import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PriceRow } from '../row.ts'
import { costLines, calculateCost, type Billed } from './cost.ts'
import { add, decimal, writeDecimal, zero } from '#kernel/decimal'

const price: PriceRow = {
  id: '00000000-0000-4000-8000-000000000001',
  group_id: '00000000-0000-4000-8000-000000000002',
  model_id: 'model',
  source: 'own',
  input_price_per_1m: '3',
  output_price_per_1m: '15',
  cache_read_price_per_1m: null,
  cache_write_price_per_1m: null,
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: null,
  tiers: null,
  effective_from: '2026-01-01T00:00:00.000Z',
  effective_to: null,
}

const billed: Billed = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  cached_tokens: 400,
  cache_write_tokens: 300,
  cache_write_long_tokens: 100,
  reasoning_tokens: 60,
  audio_input_tokens: 50,
  audio_output_tokens: 20,
  units: null,
  usage_source: 'provider',
  status_code: 200,
}

const costs = (of: Partial<Billed>, by: Partial<PriceRow>): [string, string] | null => {
  const cost = calculateCost({ ...billed, ...of }, { ...price, ...by })
  return cost && [cost.input_cost, cost.output_cost]
}

test('without prices of their own all tokens of a side cost the same: the specified formula', () => {
  // 1,000 × 3 / 1,000,000 and 100 × 15 / 1,000,000
  assert.deepEqual(costs({}, {}), ['0.003', '0.0015'])
})

test('cached and written tokens are taken out of the prompt where they have a price', () => {
  // 300 left × 3 + 400 × 0.3 + 200 × 3.75 + 100 × 6 = 900 + 120 + 750 + 600
  const all = {
    cache_read_price_per_1m: '0.3',
    cache_write_price_per_1m: '3.75',
    cache_write_long_price_per_1m: '6',
  }
  assert.deepEqual(costs({}, all), ['0.00237', '0.0015'])
  // The long lifetime falls back to the price of the short one: 900 + 120 + 300 × 3.75
  assert.deepEqual(costs({}, { ...all, cache_write_long_price_per_1m: null }), ['0.002145', '0.0015'])
  // Only reads are cheaper: 600 × 3 + 400 × 0.3
  assert.deepEqual(costs({}, { cache_read_price_per_1m: '0.3' }), ['0.00192', '0.0015'])
})

test('audio, requests and other units have lines of their own', () => {
  // 950 × 3 + 50 × 32; 80 × 15 + 20 × 64; a request for 0.014 and two searches for 0.01 each
  const by = {
    audio_input_price_per_1m: '32',
    audio_output_price_per_1m: '64',
    request_price: '0.014',
    unit_prices: { web_search: '0.01', pages: '1' },
  }
  const units = { web_search: 2, unheard_of: 5 }
  assert.deepEqual(
    costs({ units, cached_tokens: 0, cache_write_tokens: 0, cache_write_long_tokens: 0 }, by),
    ['0.03845', '0.00248'],
  )
})

test('reasoning costs what output costs, unless it has a price', () => {
  // 40 × 15 + 60 × 3
  assert.deepEqual(costs({}, { unit_prices: { reasoning_tokens: '0.000003' } }), ['0.003', '0.00078'])
})

test('a tier holds for the whole request once the prompt is longer than it says', () => {
  const tiers = [
    { above_tokens: 2_000, input_price_per_1m: '10' },
    { above_tokens: 999, input_price_per_1m: '5', output_price_per_1m: '20' },
  ]
  assert.deepEqual(costs({ prompt_tokens: 999 }, { tiers }), ['0.002997', '0.0015'])
  assert.deepEqual(costs({ prompt_tokens: 1_000 }, { tiers }), ['0.005', '0.002'])
  // What the higher tier does not name stays as the lower one says.
  assert.deepEqual(costs({ prompt_tokens: 3_000 }, { tiers }), ['0.03', '0.002'])
})

test('no price is no cost; an answer of unknown size is no cost; a failure that used nothing costs nothing', () => {
  assert.equal(calculateCost(billed, null), null)
  assert.equal(costs({ usage_source: 'none' }, {}), null)
  assert.deepEqual(costs({ usage_source: 'none', status_code: 502 }, { request_price: '1' }), ['0', '0'])
  // A model that does not exist has no price, and a request for it has no unknown cost.
  const refused = { ...billed, usage_source: 'none', status_code: 404 } as const
  assert.deepEqual(calculateCost(refused, null), { input_cost: '0', output_cost: '0', usesPrice: false })
  for (const status_code of [499, 504]) assert.equal(calculateCost({ ...refused, status_code }, null), null)
  assert.equal(
    costs({}, { input_price_per_1m: '0', output_price_per_1m: '0', unit_prices: { audio_seconds: '1' } }),
    null,
  )
})

test('lines say what, how many and for how much, input before output', () => {
  const by = {
    ...price,
    cache_read_price_per_1m: '0.3',
    audio_output_price_per_1m: '64',
    request_price: '0.014',
    unit_prices: { web_search: '0.01', reasoning_tokens: '0.000003' },
  }
  const lines = costLines({ ...billed, units: { web_search: 2 } }, by)
  assert.deepEqual(
    lines?.map(({ side, what, quantity, unit, price, cost }) => [side, what, quantity, unit, price, cost]),
    [
      ['input', 'Input', 300, 'tokens', '3', '0.0009'],
      ['input', 'Cache read', 400, 'tokens', '0.3', '0.00012'],
      ['input', 'Cache write', 200, 'tokens', '3', '0.0006'],
      ['input', 'Cache write, long lifetime', 100, 'tokens', '3', '0.0003'],
      ['input', 'Request', 1, 'request', '0.014', '0.014'],
      ['input', 'Web search', 2, 'web_search', '0.01', '0.02'],
      ['output', 'Output', 20, 'tokens', '15', '0.0003'],
      ['output', 'Audio output', 20, 'tokens', '64', '0.00128'],
      ['output', 'Reasoning', 60, 'tokens', '3', '0.00018'],
    ],
  )
})

test('a price is used when something is billed by it, be it for nothing, and not by a failure', () => {
  const free = { ...price, input_price_per_1m: '0', output_price_per_1m: '0' }
  assert.equal(calculateCost(billed, free)?.usesPrice, true)
  assert.equal(calculateCost({ ...billed, usage_source: 'none', status_code: 502 }, price)?.usesPrice, false)
  assert.deepEqual(costLines({ ...billed, usage_source: 'none', status_code: 502 }, price), [])
  assert.equal(costLines({ ...billed, usage_source: 'none' }, price), null)
})

test('lines add up to the costs exactly, and none is negative, whatever a provider claims', () => {
  for (let round = 0; round < 2_000; round++) {
    const count = (): number => Math.floor(Math.random() ** 3 * 1e12)
    const text = (): string => `${Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 1e9)}`
    const maybe = (): string | null => (Math.random() < 0.5 ? text() : null)
    const used: Billed = {
      prompt_tokens: count(),
      completion_tokens: count(),
      cached_tokens: count(),
      cache_write_tokens: count(),
      cache_write_long_tokens: count(),
      reasoning_tokens: count(),
      audio_input_tokens: count(),
      audio_output_tokens: count(),
      units: { web_search: Math.random() * 100, audio_seconds: Math.random() * 1e-7 },
      usage_source: 'provider',
      status_code: 200,
    }
    const by: PriceRow = {
      ...price,
      input_price_per_1m: text(),
      output_price_per_1m: text(),
      cache_read_price_per_1m: maybe(),
      cache_write_price_per_1m: maybe(),
      cache_write_long_price_per_1m: maybe(),
      audio_input_price_per_1m: maybe(),
      audio_output_price_per_1m: maybe(),
      request_price: maybe(),
      unit_prices: { web_search: text(), audio_seconds: text(), reasoning_tokens: text() },
      tiers: [{ above_tokens: 1 + count(), input_price_per_1m: text() }],
    }
    const cost = calculateCost(used, by)
    const lines = costLines(used, by)
    assert.ok(cost && lines)
    const sum = (side: string): string =>
      writeDecimal(
        lines
          .filter((line) => line.side === side)
          .reduce((total, line) => add(total, decimal(line.cost)), zero),
      )
    assert.deepEqual([sum('input'), sum('output')], [cost.input_cost, cost.output_cost])
    assert.ok(lines.every((line) => line.quantity > 0 && !line.cost.startsWith('-')))
  }
})
