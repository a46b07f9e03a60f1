import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Model } from '#gateway/contract'
import { costOf, pricesInWords } from './cost.ts'

const model = (input: string | null, output: string | null): Model => ({
  id: 'm',
  object: 'model',
  created: 0,
  owned_by: 'openai',
  name: null,
  context_length: null,
  max_output_tokens: null,
  capabilities: [],
  input_price_per_1m: input,
  output_price_per_1m: output,
  audio_price_per_second: null,
})
const usage = { input: 1200, cached: 0, output: 350, reasoning: 0 }

test('a cost is exact where floats are not', () => {
  assert.equal(costOf(usage, model('3', '15')), '$0.0089')
  assert.equal(costOf({ ...usage, input: 1_000_000, output: 1_000_000 }, model('0.1', '0.2')), '$0.30')
  assert.equal(costOf({ ...usage, input: 3, output: 0 }, model('0.1', '0')), '<$0.0001')
})

test('cached tokens make the cost approximate, an unknown price leaves it out', () => {
  assert.equal(costOf({ ...usage, cached: 1000 }, model('3', '15')), 'about $0.0089')
  assert.equal(costOf(usage, model('3', null)), undefined)
  assert.equal(costOf(usage, undefined), undefined)
  assert.equal(costOf(usage, model('0', '0')), '$0.00')
})

test('prices are per million tokens', () => {
  assert.equal(pricesInWords(model('3.000000', '15')), '$3 in, $15 out')
  assert.equal(pricesInWords(model('0.075', '0.3')), '$0.075 in, $0.30 out')
  assert.equal(pricesInWords(model(null, '15')), undefined)
  const byTime = { ...model(null, null), audio_price_per_second: '0.0001' }
  assert.equal(pricesInWords(byTime), '$0.0001 per second')
})
