import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOf, pricesInWords } from './cost.ts'
import { add, dollars, readDecimal, timesMillionth } from '../../ui/decimal.ts'
import type { Model } from './types.ts'

const model = (input: string | null, output: string | null): Model => ({
  id: 'm',
  owned_by: 'openai',
  name: null,
  context_length: null,
  input_price_per_1m: input,
  output_price_per_1m: output,
})
const usage = { input: 1200, cached: 0, output: 350, reasoning: 0 }
const show = (text: string) => dollars(readDecimal(text) ?? assert.fail(text))

test('decimals are read as written, and nothing else is', () => {
  assert.deepEqual(readDecimal('0.075'), { digits: 75n, scale: 3 })
  assert.deepEqual(readDecimal('1.5e-7'), { digits: 15n, scale: 8 })
  assert.deepEqual(readDecimal('2e3'), { digits: 2000n, scale: 0 })
  for (const text of ['', '-1', 'free', '1,5', 'NaN', 'Infinity']) assert.equal(readDecimal(text), undefined)
})

test('dollars have at least cents and at most millionths', () => {
  assert.equal(show('0'), '$0.00')
  assert.equal(show('3'), '$3.00')
  assert.equal(show('0.1'), '$0.10')
  assert.equal(show('1234.5678915'), '$1234.567892')
  assert.equal(show('0.0000004'), 'under $0.000001')
})

test('a cost is exact where floats are not', () => {
  const price = readDecimal('0.1') ?? assert.fail()
  assert.equal(dollars(timesMillionth(price, 3)), 'under $0.000001')
  assert.equal(dollars(add(readDecimal('0.1') ?? price, readDecimal('0.2') ?? price)), '$0.30')
  assert.equal(costOf(usage, model('3', '15')), '$0.00885')
})

test('cached tokens make it an estimate, an unknown price makes it nothing', () => {
  assert.equal(costOf({ ...usage, cached: 1000 }, model('3', '15')), 'about $0.00885')
  assert.equal(costOf(usage, model('3', null)), undefined)
  assert.equal(costOf(usage, undefined), undefined)
  assert.equal(costOf(usage, model('0', '0')), '$0.00')
})

test('prices are told for a million', () => {
  assert.equal(pricesInWords(model('3.000000', '15')), '$3 in, $15 out')
  assert.equal(pricesInWords(model('0.075', '0.3')), '$0.075 in, $0.30 out')
  assert.equal(pricesInWords(model(null, '15')), undefined)
})
