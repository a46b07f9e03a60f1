import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noUsage } from '../wire/chunk-writer.ts'
import { addDecimals, shiftDecimal } from './decimal.ts'
import { decimalAt, readChatUsage } from './usage.ts'

test('a price for one token becomes a price for a million without floating point', () => {
  const cases: [string, string | null][] = [
    ['0.000000825', '0.825'],
    ['0.000004125', '4.125'],
    ['0.0000000825', '0.0825'],
    ['0', '0'],
    ['0.000', '0'],
    ['0.00001', '10'],
    ['1', '1000000'],
    ['1e-7', '0.1'],
    ['2.5E-6', '2.5'],
    ['0.123456789012345678901', '123456.789012345678901'],
    ['-1', '-1000000'],
    ['-0.0', '0'],
    ['free', null],
    ['', null],
    ['1e999999999', null],
  ]
  for (const [text, expected] of cases) assert.equal(shiftDecimal(text, 6), expected, text)
})

test('costs are added digit by digit', () => {
  assert.equal(addDecimals('0.1', '0.2'), '0.3')
  assert.equal(addDecimals('0.000000000000000001', '1'), '1.000000000000000001')
  assert.equal(addDecimals('5', '-5'), '0')
})

test('a cost keeps every digit the provider wrote', () => {
  const json = Buffer.from('{"usage":{"cost":0.00012345678901234567890}}')
  assert.equal(decimalAt(json, ['usage', 'cost']), '0.0001234567890123456789')
  assert.equal(decimalAt(Buffer.from('{"usage":{"cost":1.5e-7}}'), ['usage', 'cost']), '0.00000015')
  assert.equal(decimalAt(Buffer.from('{"usage":{"cost":null}}'), ['usage', 'cost']), null)
})

test('parts of the input do not overlap and add up to what the provider counted', () => {
  // 1,000 prompt tokens: 600 read from the cache, 150 written to it, 1,000 - 600 - 150 = 250 neither.
  assert.deepEqual(
    readChatUsage({
      prompt_tokens: 1000,
      completion_tokens: 80,
      total_tokens: 1080,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 150, audio_tokens: 7 },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 5 },
    }),
    {
      ...noUsage,
      uncached: 250,
      cacheRead: 600,
      cacheWrite: 150,
      output: 80,
      reasoning: 30,
      audioInput: 7,
      audioOutput: 5,
    },
  )
})

test('reasoning counts as output once, whether the upstream includes it in the completion or not', () => {
  // Included: 10 + 50 = 60. Left out: 10 + 20 + 30 = 60, so the output is 20 + 30 = 50.
  const details = { completion_tokens_details: { reasoning_tokens: 30 } }
  const included = readChatUsage({ prompt_tokens: 10, completion_tokens: 50, total_tokens: 60, ...details })
  const leftOut = readChatUsage({ prompt_tokens: 10, completion_tokens: 20, total_tokens: 60, ...details })
  assert.deepEqual(included, leftOut)
  assert.equal(included?.output, 50)
  assert.equal(included?.reasoning, 30)
})

test('contradictory or missing counts never give a negative number', () => {
  const odd = readChatUsage({
    prompt_tokens: 5,
    completion_tokens: null,
    prompt_tokens_details: { cached_tokens: 9, cache_write_tokens: 9 },
  })
  assert.deepEqual(odd, { ...noUsage, uncached: 0, cacheRead: 5 })
  for (const value of [null, undefined, 'x', [], {}, { total_tokens: 3 }])
    assert.equal(readChatUsage(value), null)
})
