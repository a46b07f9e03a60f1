import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, draftOf, moved, newRoute, newTarget } from './route-draft.ts'

const route = {
  name: 'fast',
  description: 'Short answers',
  strategy: 'weighted' as const,
  targets: [
    { model: 'gpt-6-sol', weight: 9, when: { max_input_tokens: 100_000, tools: false } },
    { model: 'claude-sonnet-5-5', weight: 1, provider_key_id: '00000000-0000-4000-8000-000000000001' },
  ],
  attempts: 3,
  timeout_ms: 60_000,
  first_token_timeout_ms: 1_500,
  created_at: '2026-11-18T09:00:00.000Z',
  updated_at: '2026-11-18T09:00:00.000Z',
}

test('a route that is opened and saved without a change stays the same, and follows its targets', () => {
  const { created_at: _created, updated_at: _updated, ...fields } = route
  assert.deepEqual(bodyOf(draftOf(route)), { ...fields, attempts: null })
  assert.equal(bodyOf(draftOf({ ...route, attempts: 5 })).attempts, 5)
})

test('empty rows are left out, and weights where they do not count', () => {
  const targets = [{ ...newTarget(), model: ' gpt-6-sol ', weight: '4' }, newTarget()]
  assert.deepEqual(bodyOf({ ...newRoute(), name: ' fast ', targets }), {
    name: 'fast',
    description: '',
    strategy: 'order',
    targets: [{ model: 'gpt-6-sol' }],
    attempts: null,
    timeout_ms: null,
    first_token_timeout_ms: null,
  })
})

test('a target moves to another place, and never out of the list', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
  assert.deepEqual(moved(['a', 'b', 'c'], 0, -1), ['a', 'b', 'c'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 3), ['a', 'b', 'c'])
})
