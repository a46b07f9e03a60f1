import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { createForLimits, type TokenPrice } from './for-limits.ts'
import type { PriceRow } from './row.ts'
import type { UsageTables } from './tables.ts'

const row: PriceRow = {
  id: 'price',
  group_id: null,
  model_id: 'a-model',
  source: 'built_in',
  input_price_per_1m: '3',
  output_price_per_1m: '15',
  cache_read_price_per_1m: '0.3',
  cache_write_price_per_1m: '3.75',
  cache_write_long_price_per_1m: null,
  audio_input_price_per_1m: null,
  audio_output_price_per_1m: null,
  request_price: null,
  unit_prices: null,
  tiers: null,
  effective_from: new Date(0).toISOString(),
  effective_to: null,
}

function priceOf(more: Partial<PriceRow>): TokenPrice | null {
  const prices = { priceFor: () => ({ row: { ...row, ...more }, isStored: true }) }
  const { tokenPrice } = createForLimits({} as Kysely<UsageTables>, prices, async () => undefined)
  return tokenPrice('group', 'anthropic', 'a-model')
}

test('a request is reserved by the dearest price of its tokens, whatever they turn out to be', () => {
  const cases: [Partial<PriceRow>, input: string, output: string][] = [
    [{}, '3.75', '15'],
    [{ cache_write_long_price_per_1m: '6' }, '6', '15'],
    [{ audio_input_price_per_1m: '40' }, '40', '15'],
    [{ audio_output_price_per_1m: '80' }, '3.75', '80'],
    [
      { tiers: [{ above_tokens: 200_000, input_price_per_1m: '5', output_price_per_1m: '22.5' }] },
      '5',
      '22.5',
    ],
    [{ tiers: [{ above_tokens: 200_000, cache_write_long_price_per_1m: '12' }] }, '12', '15'],
  ]
  for (const [more, input, output] of cases)
    assert.deepEqual(priceOf(more), { input, output, request: '0' }, JSON.stringify(more))
})
