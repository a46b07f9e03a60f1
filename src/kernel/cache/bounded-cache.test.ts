import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedCache } from './caches.ts'

test('when it is full the value that was used least recently is dropped, and no other', () => {
  const cache = new BoundedCache<string, string>('test_order', 3)
  for (const [key, value] of Object.entries({ a: 'one', b: 'two', c: 'three' })) cache.set(key, value)
  assert.equal(cache.get('a'), 'one')
  cache.set('d', 'four')
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key)),
    ['one', undefined, 'three', 'four'],
  )
  assert.equal(cache.size, 3)
})

test('after clear nothing is left', () => {
  const cache = new BoundedCache<string, string>('test_clear', 3)
  cache.set('a', 'one')
  cache.clear()
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.size, 0)
})

test('a cache with a limit of size drops the least recently used value when values are too large together', () => {
  const cache = new BoundedCache<string, string>('letters', 100, {
    maxSize: 10,
    sizeOf: ({ length }) => length,
  })
  cache.set('a', 'four')
  cache.set('b', 'five5')
  assert.equal(cache.get('a'), 'four')
  cache.set('c', 'six666')
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    ['four', undefined, 'six666'],
  )
  cache.set('d', 'eleven 1111')
  assert.equal(cache.get('d'), undefined, 'larger than all together')
  assert.equal(cache.get('c'), 'six666')
})
