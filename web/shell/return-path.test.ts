import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnPath } from './return-path.ts'

test('a path of the dashboard is kept with its query', () => {
  assert.equal(returnPath('/keys?state=active#top'), '/keys?state=active#top')
})

test('other sites are rejected, however they are written', () => {
  for (const next of [
    'https://example.com/',
    '//example.com',
    '/\\example.com',
    '/\t/example.com',
    'keys',
    7,
  ])
    assert.equal(returnPath(next), '/')
})

test('signing in never leads back to signing in', () => {
  assert.equal(returnPath('/sign-in?next=%2Fkeys'), '/')
})
