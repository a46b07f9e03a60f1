import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress } from '../../api/client-address.ts'
import { snippetsFor } from './snippets.ts'

test('every snippet holds the client’s address and the key', () => {
  for (const { source } of snippetsFor('http://127.0.0.1:8000', 'sb-abc')) {
    assert.ok(source.includes('http://127.0.0.1:8000/v1'))
    assert.ok(source.includes('sb-abc'))
  }
})

test('without a key the place where it belongs is marked', () => {
  for (const { source } of snippetsFor('http://127.0.0.1:8000', null)) assert.ok(source.includes('YOUR_KEY'))
})

test('a base address with a slash at its end gives no double slash', () => {
  assert.equal(clientAddress('https://box.example.com/'), 'https://box.example.com/v1')
})
