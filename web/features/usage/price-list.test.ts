import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByModel, Price } from '#usage/contract'
import { joinPrices, selectPrices } from './price-list.ts'

const used = (model: string, requests: number, unpriced: number, errors = 0) =>
  ({ model, provider: 'openai', requests, errors, unpriced_requests: unpriced, total_cost: null }) as ByModel
const price = (model_id: string) => ({ model_id, source: 'own' }) as Price

test('models without a price come first, then the most used, then those never used', () => {
  const joined = joinPrices([price('b'), price('z')], [used('b', 9, 0), used('a', 1, 1), used('c', 20, 0)])
  assert.deepEqual(
    joined.map(({ model }) => model),
    ['a', 'c', 'b', 'z'],
  )
  assert.deepEqual(
    selectPrices(joined, 'own z').map(({ model }) => model),
    ['z'],
  )
})

test('a model whose requests all failed is not listed, unless it has a price', () => {
  assert.deepEqual(joinPrices([], [used('gtp-4', 3, 0, 3)]), [])
  const [known] = joinPrices([price('gpt-4')], [used('gpt-4', 3, 0, 3)])
  assert.deepEqual([known?.model, known?.unpriced], ['gpt-4', 0])
})
