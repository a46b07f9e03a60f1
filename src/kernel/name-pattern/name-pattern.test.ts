import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coversNames, matchesName } from './index.ts'

test('a star stands for any text, everything else for itself', () => {
  const matching = [
    ['gpt-6', 'gpt-6'],
    ['gpt-*', 'gpt-'],
    ['gpt-*', 'gpt-6-sol'],
    ['*-mini', 'gpt-6-mini'],
    ['*', ''],
    ['*', 'openai/gpt-6'],
    ['claude-*-5*', 'claude-sonnet-5-20260101'],
    ['a*b*b', 'abb'],
    ['**', 'x'],
    ['gpt-6.1', 'gpt-6.1'],
  ] as const
  for (const [pattern, name] of matching) assert.ok(matchesName(pattern, name), `${pattern} ${name}`)
  const other = [
    ['gpt-6', 'gpt-6-sol'],
    ['gpt-*', 'GPT-6'],
    ['gpt-*', 'openai/gpt-6'],
    ['*-mini', 'gpt-6-mini-high'],
    ['ab*b', 'ab'],
    ['a*b*b', 'ab'],
    ['gpt-6.1', 'gpt-6x1'],
    ['', 'x'],
  ] as const
  for (const [pattern, name] of other) assert.ok(!matchesName(pattern, name), `${pattern} ${name}`)
})

test('a list covers another only when each of its patterns is within one of the list', () => {
  assert.ok(coversNames(['gpt-*', 'claude-5'], ['gpt-6', 'gpt-6-*', 'claude-5']))
  assert.ok(coversNames(['*'], ['*', 'a*']))
  assert.ok(!coversNames(['gpt-6'], ['gpt-*']))
  assert.ok(!coversNames(['gpt-6*'], ['gpt-*']))
  assert.ok(!coversNames(['*-mini'], ['*']))
  assert.ok(!coversNames([], ['a']))
})
