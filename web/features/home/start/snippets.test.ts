import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress } from '../../../api/client-address.ts'
import { firstModel, snippetsFor } from './snippets.ts'

test('every snippet has the base URL and the key', () => {
  for (const { source } of snippetsFor('http://127.0.0.1:8000', 'sb-abc')) {
    assert.ok(source.includes('http://127.0.0.1:8000/v1'))
    assert.ok(source.includes('sb-abc'))
  }
})

test('without a key the snippets have a placeholder', () => {
  for (const { source } of snippetsFor('http://127.0.0.1:8000', null)) assert.ok(source.includes('YOUR_KEY'))
})

test('a trailing slash of the base URL is not doubled', () => {
  assert.equal(clientAddress('https://signalbox.example.com/'), 'https://signalbox.example.com/v1')
})

test('the snippets name a model that the group can use', () => {
  assert.equal(firstModel([]), 'gpt-6-luna')
  const named = (id: string, price: string | null = null) => ({ id, input_price_per_1m: price })
  assert.equal(firstModel([named('claude-opus-5'), named('claude-haiku-5')]), 'claude-opus-5')
  assert.equal(firstModel([named('gpt-6-astra', '10'), named('gpt-6-luna', '0.1')]), 'gpt-6-luna')
  const unpriced = named('claude-opus-5')
  assert.equal(firstModel([unpriced, named('claude-haiku-5', '1')]), 'claude-haiku-5', 'one with a price')
  for (const { source } of snippetsFor('http://127.0.0.1:8000', 'sb-abc', 'claude-opus-5'))
    assert.ok(source.includes('claude-opus-5'))
})
