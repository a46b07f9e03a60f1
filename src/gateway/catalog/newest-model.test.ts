import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelInfo } from '../provider.ts'
import { newestModel, retirementOf } from './newest-model.ts'

const listed = (id: string, created: number | null = null): ModelInfo => ({
  ...{ id, created, ownedBy: 'house', name: null, contextLength: null, maxOutput: null },
  ...{ inputPrice: null, outputPrice: null, cacheReadPrice: null, cacheWritePrice: null, requestPrice: null },
  capabilities: [],
})
const choice = { family: /^house-[\d.]+$/, fallback: 'house-1' }
const stays = (): boolean => false

test('the newest model of the family is chosen: by its date, else by its number', () => {
  const dated = [listed('house-9', 100), listed('house-10', 300), listed('house-11', 200)]
  assert.equal(newestModel(dated, choice, stays), 'house-10')
  const numbered = ['house-3.9', 'house-3.10', 'house-12-preview', 'other-99'].map((id) => listed(id))
  assert.equal(newestModel(numbered, choice, stays), 'house-3.10')
  assert.equal(newestModel([listed('other-1')], choice, stays), undefined)
})

test('a model that is about to be retired is not chosen', () => {
  const models = [listed('house-1', 1), listed('house-2', 2)]
  assert.equal(
    newestModel(models, choice, (id) => id === 'house-2'),
    'house-1',
  )
})

test('a dated version ends with its model, another model does not', () => {
  const retirements = { 'house-1': '2026-11-30' }
  for (const [model, date] of [
    ['house-1', '2026-11-30'],
    ['house-1-20250929', '2026-11-30'],
    ['house-1-2025-09-29', '2026-11-30'],
    ['house-1-mini', null],
    ['house-10', null],
  ] as const)
    assert.equal(retirementOf({ retirements }, model), date, model)
})
