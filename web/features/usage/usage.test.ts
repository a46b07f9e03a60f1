import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Daily, UsageSums } from '#usage/contract'
import { periodOf, stepsOf } from './period.ts'
import { spendSeries, tokenSeries } from './series.ts'
import { readUsageAddress } from './usage-address.ts'

const now = Date.parse('2026-11-15T10:00:00Z')
const sums = (total_cost: string | null, prompt_tokens = 0): UsageSums => ({
  requests: 1,
  errors: 0,
  unpriced_requests: 0,
  estimated_requests: 0,
  prompt_tokens,
  completion_tokens: 0,
  total_tokens: prompt_tokens,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  input_cost: null,
  output_cost: null,
  total_cost,
  avg_duration_ms: null,
})
const on = (date: string, total_cost: string | null, prompt = 0): Daily => ({
  ...sums(total_cost, prompt),
  date,
})

test('valid filters are read from the address, invalid ones are dropped', () => {
  const search = {
    model: 4,
    provider: '',
    api_key_id: 'none',
    start_date: '2026-02-30',
    end_date: '2026-02-28',
  }
  assert.deepEqual(readUsageAddress(search), { model: '4', api_key_id: 'none' })
})

test('a range is named or has two dates in order', () => {
  assert.deepEqual(readUsageAddress({ range: 'month', start_date: '2026-11-01' }), { range: 'month' })
  assert.deepEqual(readUsageAddress({ start_date: '2026-11-02', end_date: '2026-11-01' }), {})
  assert.deepEqual(readUsageAddress({ range: 'day', start_date: '2026-11-01', end_date: '2026-11-02' }), {
    start_date: '2026-11-01',
    end_date: '2026-11-02',
  })
})

test('a week ends today and is compared with the seven days before it', () => {
  assert.deepEqual(periodOf({}, now), {
    start_date: '2026-11-09',
    end_date: '2026-11-15',
    step: 'day',
    before: { start_date: '2026-11-02', end_date: '2026-11-08' },
  })
  const day = periodOf({ range: 'day' }, now)
  assert.equal(day.step, 'hour')
  assert.equal(stepsOf(day, day.step).length, 24)
  assert.deepEqual(day.before, { start_date: '2026-11-14', end_date: '2026-11-14' })
})

test('the stack adds up to the exact total, and empty days are included', () => {
  const steps = stepsOf({ start_date: '2026-11-13', end_date: '2026-11-15' }, 'day')
  const series = spendSeries(
    [on('2026-11-13', '0.3'), on('2026-11-15', null)],
    [{ model: 'a', buckets: [on('2026-11-13', '0.1')] }],
    steps,
  )
  assert.deepEqual(
    series.map(({ name, texts }) => [name, texts]),
    [
      ['a', ['$0.10', '$0.00', '$0.00']],
      ['Other models', ['$0.20', '$0.00', '$0.00']],
    ],
  )
})

test('token lines have one value per step, and none after the present', () => {
  const steps = stepsOf({ start_date: '2026-11-14', end_date: '2026-11-16' }, 'day')
  const [input] = tokenSeries([on('2026-11-15', null, 1200)], steps, now)
  assert.deepEqual(input?.values, [0, 1200, null])
  assert.deepEqual(input?.texts, ['0', '1,200', '–'])
})
