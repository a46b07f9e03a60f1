import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByModel } from '#usage/contract'
import { usedName } from './used-name.ts'

test('a model is found in the usage log with and without the word of its provider', () => {
  const used = [
    { model: 'gpt-6-sol', provider: 'openai' },
    { model: 'openai/gpt-6-sol', provider: 'openrouter' },
    { model: 'sonar-pro', provider: 'perplexity' },
  ] as ByModel[]
  assert.equal(usedName('gpt-6-sol', used), 'gpt-6-sol')
  assert.equal(usedName('openai/gpt-6-sol', used), 'openai/gpt-6-sol')
  assert.equal(usedName('openrouter/openai/gpt-6-sol', used), 'openai/gpt-6-sol')
  assert.equal(usedName('perplexity/sonar-pro', used), 'sonar-pro')
  assert.equal(usedName('perplexity/sonar', used), 'perplexity/sonar')
})
