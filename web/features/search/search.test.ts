import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeMatches } from './close-matches.ts'
import { piecesOf } from './pieces.ts'
import { kindsOf, readSearchAddress } from './search-address.ts'

test('an excerpt is split at its highlights and loses nothing', () => {
  const pieces = piecesOf('a cheap vision model', [
    [2, 7],
    [8, 14],
  ])
  assert.deepEqual(pieces, [
    { text: 'a ', isMarked: false },
    { text: 'cheap', isMarked: true },
    { text: ' ', isMarked: false },
    { text: 'vision', isMarked: true },
    { text: ' model', isMarked: false },
  ])
})

test('highlights that overlap, are out of order or lie outside are handled', () => {
  for (const places of [
    [
      [3, 5],
      [0, 4],
    ],
    [[0, 99]],
    [[2, 2]],
    [],
  ] as [number, number][][]) {
    assert.equal(
      piecesOf('hello', places)
        .map(({ text }) => text)
        .join(''),
      'hello',
    )
  }
  assert.deepEqual(piecesOf('', [[0, 0]]), [])
})

test('a weak result without any keyword is not shown as a match', () => {
  const result = (similarity: number | null, ...matched: ('meaning' | 'words')[]) => ({ similarity, matched })
  const best = result(0.68, 'meaning', 'words')
  const near = result(0.4, 'meaning')
  const far = result(0.3, 'meaning')
  const words = result(0.01, 'words')
  const unmeasured = result(null, 'words')
  assert.deepEqual(closeMatches([best, near, far, words, unmeasured]), [best, near, words, unmeasured])
  assert.deepEqual(closeMatches([result(0.14, 'meaning')]), [])
  assert.deepEqual(closeMatches([far, result(0.14, 'meaning')]), [far])
  assert.deepEqual(closeMatches([]), [])
})

test('a query that looks like a number stays as typed', () => {
  assert.deepEqual(readSearchAddress({ q: 404, kinds: 'model,request', view: 'kinds', other: 1 }), {
    q: '404',
    kinds: 'model,request',
    view: 'kinds',
  })
  assert.deepEqual(readSearchAddress({ q: '  ', view: 'map', kinds: ['model'] }), {})
  assert.deepEqual(kindsOf({ kinds: 'model,,request' }), ['model', 'request'])
  assert.deepEqual(kindsOf({}), [])
})
