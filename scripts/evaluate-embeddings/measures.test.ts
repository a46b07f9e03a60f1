import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBm25 } from './bm25.ts'
import { pairAccuracy, ranking, retrieval, spearman } from './measures.ts'

test('Spearman follows the order, shares ranks, and knows the reverse', () => {
  assert.equal(spearman([1, 2, 3, 4], [10, 20, 30, 40]), 1)
  assert.equal(spearman([1, 2, 3, 4], [4, 3, 2, 1]), -1)
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
  assert.ok(Math.abs(spearman([1, 2, 2, 3], [1, 2, 3, 4]) - 4.5 / Math.sqrt(22.5)) < 1e-12)
})

test('pair accuracy and retrieval are what they say', () => {
  assert.equal(pairAccuracy([0.9, 0.2], [0.1, 0.2]), 3.5 / 4)
  assert.deepEqual(retrieval([1, 2, 20, 4]), {
    recallAt1: 0.25,
    recallAt10: 0.75,
    mrr: (1 + 0.5 + 0.05 + 0.25) / 4,
  })
  assert.deepEqual(ranking([0.1, 0.9, 0.5]), [1, 2, 0])
})

test('BM25 prefers the rare word and the short document', () => {
  const score = createBm25([
    'the disk is full',
    'the lease',
    'the disk and the lease and the log and the rest of it',
  ])
  assert.deepEqual(ranking(score('lease')), [1, 2, 0])
  assert.equal(score('nothing')[0], 0)
})
