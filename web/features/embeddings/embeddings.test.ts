import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEmbeddingsAddress } from './embeddings-address.ts'
import { isSame, builtInModelWords, similarityText } from './similarity-words.ts'
import { largestOf, lengthOf, pairsOf, similarityOf } from './vectors.ts'

test('a similarity is the cosine of unit vectors', () => {
  assert.equal(similarityOf([1, 0], [0, 1]), 0)
  assert.equal(similarityOf([0.6, 0.8], [0.6, 0.8]), 1)
  assert.ok(Math.abs(similarityOf([0.6, 0.8], [0.8, 0.6]) - 0.96) < 1e-12)
  assert.equal(lengthOf([3, 4]), 5)
  assert.equal(largestOf([0.1, -0.4, 0.2]), 0.4)
})

test('each pair of texts is listed once, most similar first', () => {
  const pairs = pairsOf([
    [1, 0],
    [0, 1],
    [0.6, 0.8],
  ])
  assert.deepEqual(
    pairs.map(({ first, second, similarity }) => [first, second, similarity]),
    [
      [1, 2, 0.8],
      [0, 2, 0.6],
      [0, 1, 0],
    ],
  )
  assert.deepEqual(pairsOf([[1]]), [])
})

test('a higher similarity has a stronger label', () => {
  assert.equal(builtInModelWords(-0.2), 'Unrelated')
  assert.equal(builtInModelWords(0.14), 'Unrelated')
  assert.equal(builtInModelWords(0.15), 'Loosely related')
  assert.equal(builtInModelWords(0.6), 'Same topic')
  assert.equal(builtInModelWords(1), 'Nearly identical')
  assert.ok(isSame(1) && !isSame(0.999))
})

test('a similarity has a minus sign and never reads −0.00', () => {
  assert.equal(similarityText(-0.0412, 2), '−0.04')
  assert.equal(similarityText(-0.001, 2), '0.00')
  assert.equal(similarityText(0.5, 3), '0.500')
})

test('only known views are read from the address', () => {
  assert.deepEqual(readEmbeddingsAddress({ view: 'state', x: 1 }), { view: 'state' })
  assert.deepEqual(readEmbeddingsAddress({ view: 'else' }), {})
})
