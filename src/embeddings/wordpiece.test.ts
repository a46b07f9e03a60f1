import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInFolder } from './drivers/builtin.ts'
import { StaticModel } from './drivers/static-model.ts'
import { WordPiece } from './wordpiece.ts'

const { tokenizer } = new StaticModel(builtInFolder)
const ids = (text: string, maxTokens = 1000): number[] => tokenizer.encode(text, maxTokens).ids

test('texts become the ids that the reference tokenizer gives', () => {
  // Ids are line numbers of vocab.txt, counted from 0.
  assert.deepEqual(ids('hello world'), [7592, 2088])
  assert.deepEqual(ids('Hello, World!'), [7592, 1010, 2088, 999])
  assert.deepEqual(ids('unaffable'), [14477, 20961, 3468])
  assert.deepEqual(ids('embeddings'), [7861, 8270, 4667, 2015])
})

test('accents, case and control characters do not count', () => {
  assert.deepEqual(ids('Café RÉSUMÉ'), ids('cafe resume'))
  assert.deepEqual(ids('cafe\u0301'), ids('cafe'))
  assert.deepEqual(ids('he\u0000l\u200blo\ufffd wor\u00adld'), ids('hello world'))
  assert.deepEqual(ids('hello\tworld\r\nhello\u00a0world\u3000hello'), ids('hello world hello world hello'))
})

test('Chinese is taken character by character, punctuation alone', () => {
  assert.deepEqual(ids('中国'), ids('中 国'))
  assert.equal(ids('中国').length, 2)
  assert.deepEqual(ids('a≠b'), ids('a = b'))
  assert.deepEqual(ids('「中」'), ids('「 中 」'))
})

test('emoji and words without pieces are unknown', () => {
  assert.deepEqual(ids('🎉'), [100])
  assert.deepEqual(ids('👩‍👩‍👧 family'), [100, 2155])
  assert.deepEqual(ids('x'.repeat(101)), [100])
  assert.notDeepEqual(ids('x'.repeat(100)), [100])
})

test('right-to-left text has tokens', () => {
  assert.ok(ids('שלום עולם').length > 2)
  assert.ok(ids('مرحبا بالعالم').length > 2)
})

test('a text is cut between words and says where', () => {
  const text = 'one two unaffable four'
  assert.deepEqual(tokenizer.encode(text, 4), { ids: ids('one two'), end: 'one two'.length })
  assert.deepEqual(tokenizer.encode(text, 5), {
    ids: ids('one two unaffable'),
    end: 'one two unaffable'.length,
  })
  assert.deepEqual(tokenizer.encode(text, 6), { ids: ids(text), end: text.length })
  assert.deepEqual(tokenizer.encode('unaffable', 2).ids, [14477, 20961], 'the first word may be cut inside')
})

test('a mebibyte without a space is one unknown word, and of a long text only the start is read', () => {
  assert.deepEqual(ids('a'.repeat(1_048_576)), [100])
  assert.deepEqual(ids('漢'.repeat(300_000), 100).length, 100)
  const cut = tokenizer.encode('word '.repeat(200_000), 512)
  assert.equal(cut.ids.length, 512)
  assert.equal(cut.end, 512 * 5 - 1)
})

test('what was cut off has the same tokens again', () => {
  const words = ['naïve', 'Zürich', 'don’t', 'x=1;', '数据库', 'retry-after', '🚂', 'unaffable', '  ', 'ﬁne']
  for (let seed = 1; seed < 200; seed += 1) {
    const text = Array.from({ length: 12 }, (_, at) => words[(seed * 7 + at * seed) % words.length]).join(' ')
    const whole = ids(text)
    for (const maxTokens of [5, 9, 14]) {
      const { ids: some, end } = tokenizer.encode(text, maxTokens)
      assert.deepEqual(some, whole.slice(0, some.length))
      assert.deepEqual(ids(text.slice(0, end)), some)
    }
  }
})

test('a vocabulary without an unknown token is refused', () => {
  assert.throws(() => new WordPiece(new Map([['a', 0]])), /no \[UNK\]/)
})
