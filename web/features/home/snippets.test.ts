import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress } from '../../api/client-address.ts'
import { snippetsFor } from './snippets.ts'

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
