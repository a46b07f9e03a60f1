import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fewWords } from './few-words.ts'

test('a word or phrase counts once, however often it is typed', () => {
  assert.equal(fewWords('payment '.repeat(300)), 'payment')
  assert.equal(fewWords('Payment plan payment "Payment plan" "payment plan"'), 'Payment plan "Payment plan"')
  assert.equal(fewWords('refund or payment or refund -failed -failed'), 'refund or payment or -failed')
})

test('up to 32 words are searched, also where nothing but commas divides them', () => {
  const words = Array.from({ length: 40 }, (_, index) => `w${index}`)
  assert.equal(fewWords(words.join(' ')), words.slice(0, 32).join(' '))
  assert.equal(fewWords(words.join(',')), `${words.slice(0, 32).join(',')},`)
  assert.equal(fewWords(`"${words.join(' ')}" more`), `"${words.slice(0, 32).join(' ')} `)
})

test('up to 16 leading minus signs are kept, and hyphens inside words are', () => {
  assert.equal(fewWords('-'.repeat(40)), `${'-'.repeat(16)}${' '.repeat(24)}`)
  assert.equal(fewWords('zero-downtime -draft'), 'zero-downtime -draft')
})
