import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuery } from './query-words.ts'
import { differences, meaningsOf } from './spelling.ts'

test('letters that are missing, added, replaced or exchanged are counted', () => {
  const counted = ['docker', 'doker', 'dockker', 'dacker', 'dokcer', 'kettle', ''].map((word) =>
    differences(word, 'docker'),
  )
  assert.deepEqual(counted, [0, 1, 1, 1, 1, 6, 6])
})

test('a word means titles that begin with it or nearly are it, never those that begin otherwise', () => {
  const titles = ['connection', 'connections', 'docker', 'dock', 'invoice', 'cat', 'car']
  assert.deepEqual(meaningsOf('connetcions', titles), ['connections', 'connection'])
  assert.deepEqual(meaningsOf('doker', titles), ['docker'])
  assert.deepEqual(meaningsOf('inv', titles), ['invoice'])
  assert.deepEqual(meaningsOf('cas', titles), [], 'three letters are too few')
  assert.deepEqual(meaningsOf('nvoice', titles), [])
})

test('names of a query are taken apart, and its operators stay', () => {
  const read = (text: string) => {
    const { forTitles, words, isLiteral } = readQuery(text)
    return { forTitles, words, isLiteral }
  }
  assert.deepEqual(read('SIG-12'), { forTitles: 'SIG 12', words: ['sig', '12'], isLiteral: false })
  assert.deepEqual(read('src/userId.ts'), {
    forTitles: 'src user Id ts',
    words: ['src', 'user', 'id', 'ts'],
    isLiteral: false,
  })
  assert.deepEqual(read('"two words" -three-four five'), {
    forTitles: '"two words" -three-four five',
    words: ['two', 'words', 'five'],
    isLiteral: true,
  })
})
