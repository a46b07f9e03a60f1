import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf } from './pieces.ts'
import { parse } from './recent-searches.ts'
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

test('recent searches that another program has written over are left out', () => {
  assert.deepEqual(parse('[{"query":"a","kinds":["ticket"]},{"query":1,"kinds":[]},null,{"query":"b"}]'), [
    { query: 'a', kinds: ['ticket'] },
  ])
  assert.deepEqual(parse('{'), [])
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
