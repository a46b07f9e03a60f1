import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressReader, day, matching, on, text, time, trimmed, word, wordList } from './address.ts'

test('parameters are read one by one; those that are unknown or not valid are dropped', () => {
  const read = addressReader({ q: text, words: trimmed, status: word(['open']), new: on, at: time, day })
  const search = { q: 42, words: ' a b ', status: 'open', new: true, at: '2026-11-16T09:30:00Z', other: 1 }
  assert.deepEqual(read({ ...search, day: '2026-11-16' }), {
    q: '42',
    words: 'a b',
    status: 'open',
    new: true,
    at: '2026-11-16T09:30:00Z',
    day: '2026-11-16',
  })
  assert.deepEqual(
    read({ q: ' ', words: {}, status: 'shut', new: 'true', at: '2026-99-16T', day: '2026-02-30' }),
    {},
  )
})

test('of a list of words those that are known stay, and a pattern holds for the whole value', () => {
  assert.equal(wordList(['a', 'b'])('b,c,a'), 'b,a')
  assert.equal(wordList(['a', 'b'])('c'), undefined)
  assert.equal(matching(/^run-\d+$/)('run-1'), 'run-1')
  assert.equal(matching(/^run-\d+$/)('x run-1'), undefined)
})
