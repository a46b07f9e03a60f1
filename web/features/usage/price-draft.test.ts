import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, draftOf, problemsOf, tidy } from './price-draft.ts'

test('a price needs input and output, and every amount must be valid', () => {
  const draft = { ...draftOf(null), input_price_per_1m: '$ 2.50', request_price: '1,5' }
  assert.deepEqual(Object.keys(problemsOf(draft)), ['output_price_per_1m', 'request_price'])
  assert.deepEqual(problemsOf({ ...draft, output_price_per_1m: '0', request_price: '' }), {})
})

test('an empty field is unknown, not free', () => {
  const body = bodyOf({ ...draftOf(null), input_price_per_1m: '$2.50', output_price_per_1m: '0' }, null)
  assert.equal(body.input_price_per_1m, '2.50')
  assert.equal(body.output_price_per_1m, '0')
  assert.equal(body.cache_read_price_per_1m, null)
})

test('trailing zeros are removed, others stay', () => {
  assert.equal(tidy('2.500000'), '2.5')
  assert.equal(tidy('100'), '100')
  assert.equal(tidy('10.000'), '10')
  assert.equal(tidy(null), '')
})

test('an amount is a decimal and not negative', () => {
  const problemOf = (text: string) =>
    problemsOf({ ...draftOf(null), input_price_per_1m: text }).input_price_per_1m
  for (const good of ['0', '3', '0.075', ' $0.25 ']) assert.equal(problemOf(good), undefined, good)
  for (const bad of ['-1', '-0.5', '1e5', '1,5', 'free'])
    assert.equal(problemOf(bad), 'Enter an amount in dollars, for example 0.25.', bad)
  assert.equal(problemOf(''), 'Enter a price, or 0 if it is free.')
})
