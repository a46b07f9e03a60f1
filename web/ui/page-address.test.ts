import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageAddress } from './page-address.ts'

test('pages of the dashboard and of the web are addresses', () => {
  assert.equal(pageAddress('/tickets/7?tab=1#a'), '/tickets/7?tab=1#a')
  assert.equal(pageAddress('https://docs.example/a b'), 'https://docs.example/a%20b')
})

test('scripts, other schemes, other hosts in disguise and the API are none', () => {
  const hostile = ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']
  const disguised = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/api/v1/keys',
    '/v1/models',
    '',
    'x',
    'http://',
  ]
  for (const text of [...hostile, ...disguised]) assert.equal(pageAddress(text), undefined, text)
})
