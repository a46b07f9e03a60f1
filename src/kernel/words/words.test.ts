import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight, isMatch, parseQuery, toTsquery, wordVector } from './index.ts'
import { nextToken } from './characters.ts'
import { lexicon } from './lexicon.ts'
import { rootOf, stemOf } from './stem.ts'

function matches(query: string, text: string): boolean {
  const parsed = parseQuery(query)
  return parsed !== null && isMatch(text, parsed)
}

const found = (query: string, text: string): void => assert.ok(matches(query, text), `${query} in ${text}`)
const missed = (query: string, text: string): void =>
  assert.ok(!matches(query, text), `not ${query} in ${text}`)

test('words are found by their English stem, whatever their case', () => {
  found('invoice', 'Two INVOICES were sent')
  found('hope', 'we were hoping')
  found('probability', 'probable')
  found('NAÏVE', 'a naïve try')
  found('naïve', 'A NAI\u0308VE TRY')
  found('istanbul', 'İSTANBUL')
  found('ΟΔΟΣ', 'η οδός οδοσ')
  found('grün', 'Das Grüne? Grün!')
  missed('voice', 'invoice')
  missed('art', 'start')
})

test('parts of names and paths are found from their beginning, at a capital letter and at a number', () => {
  found('pay.ts', 'at charge (src/pay.ts:12)')
  found('PgPool', 'new PgPool()')
  found('pgpool', 'class PgPoolClient')
  found('pool', 'class PgPoolClient')
  found('client', 'class PgPoolClients')
  found('http', 'HTTPServer')
  found('connect', 'connect_timeout')
  found('timeout', 'CONNECT_TIMEOUT')
  found('2219', 'order2219 failed')
  found('2219', 'INC-2219')
  found('ms', 'took 2219ms')
  found('src/invoice.ts', 'the invoice in src, written in ts')
  found('0190b3a2', 'session 0190b3a2-7777')
  missed('lClient', 'PgPoolClient')
})

test('words are found beside every sign that is no letter', () => {
  for (const code of [
    0xa0, 0x2009, 0x200b, 0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2026, 0x202f, 0x2060,
  ])
    found('refund', `a${String.fromCharCode(code)}refund${String.fromCharCode(code)}b`)
  found('refund', '⚠️refund🔥')
  found('refund', '«refund»')
})

test('text without spaces is found by its characters', () => {
  found('日本', '«日本»')
  found('本語', 'これは日本語です')
  found('日本語', 'これは日本語です')
  found('語', 'これは日本語です')
  found('支付', 'PostgreSQL支付失败')
  found('postgresql', 'PostgreSQL支付失败')
  found('ระบบ', 'เริ่มระบบใหม่')
  missed('日語', 'これは日本語です')
  missed('支付成功', '支付失败')
  found('서버', '서버 오류')
})

test('words whose hashes are equal are kept apart', () => {
  assert.equal(nextToken('Aa', 0)?.hash, nextToken('BB', 0)?.hash)
  for (let round = 0; round < 2; round++) {
    found('aa', 'Aa')
    found('bb', 'BB')
    missed('aa', 'BB')
    missed('bb', 'Aa')
  }
  const spelled = (bits: number): string =>
    bits.toString(2).padStart(8, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB')
  const words = Array.from({ length: 256 }, (_, bits) => spelled(bits))
  assert.equal(new Set(words.map((word) => nextToken(word, 0)?.hash)).size, 1)
  for (let round = 0; round < 2; round++)
    for (const [index, word] of words.entries()) {
      found(word, words.join(' '))
      missed(word, words.toSpliced(index, 1).join(' '))
    }
})

test('words are the same after more others than are remembered', () => {
  const texts = [{ text: 'PgPool orders, Orders; order', isTitle: false }]
  const before = wordVector(texts)
  const others = Array.from({ length: 110_000 }, (_, index) => `${index}`).join(' ')
  wordVector([{ text: others, isTitle: false }])
  assert.deepEqual(wordVector(texts), before)
})

test('many spellings of one lexeme do not stay in memory', () => {
  const before = lexicon()
  const spelled = (bits: number): string =>
    bits.toString(2).padStart(20, '0').replaceAll('0', 'σ').replaceAll('1', 'ς')
  const texts = Array.from({ length: 110_000 }, (_, bits) => spelled(bits)).join(' ')
  wordVector([{ text: texts, isTitle: false }])
  assert.notEqual(lexicon(), before)
})

test('a character with many marks is cut, as a long word is', () => {
  const long = `中${'\u0316'.repeat(2_000)}文 next`
  assert.ok(wordVector([{ text: long, isTitle: false }]).length < 1_000)
  found('next', long)
})

test('every word begins with the root of its stem', () => {
  const words = `relational conditional valency hesitancy digitizer conformably radically differently vilely
    analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality
    sensitivity sensibility archaeology triplicate formative formalize electricity electrical hopeful goodness
    hoping hopped cries tied agreed sized happy say ability stability probability controlling rolling`
  for (const word of words.split(/\s+/))
    assert.ok(word.startsWith(rootOf(stemOf(word))), `${word} ${rootOf(stemOf(word))}`)
})

test('a phrase is exact, common words included', () => {
  found('"banker rounding"', 'uses Banker rounding here')
  found('"banker rounding"', 'banker, then banker: rounding')
  missed('"banker rounding"', 'rounding of a banker')
  missed('"banker rounding"', 'bankers rounding')
  missed('"payments"', 'payment')
  found('"state of the art"', 'State of the art')
  missed('"state of the art"', 'state of an art')
  missed('"state of the art"', 'state art')
  found('“to be or not to be”', 'to be, or not to be')
  missed('"to be"', 'be to')
  found('"部署 failed"', '部署 failed')
  found('"部署失败 at"', '部署失败 at 9')
  missed('"部署失败 at"', '部署失 at 9')
})

test('a minus asks for absence, or for alternatives; common words alone are nothing to search for', () => {
  found('rounding -banker', 'rounding up')
  missed('rounding -banker', 'banker rounding')
  found('rounding -"banker rounding"', 'rounding of a banker')
  found('cat or dog house', 'a cat')
  found('cat or dog house', 'house of a dog')
  missed('cat or dog house', 'a dog')
  for (const text of ['', 'the', '-', '" "', '...', 'or', '-the or "'])
    assert.equal(parseQuery(text), null, text)
})

test('a query that is too long is cut', () => {
  const long = parseQuery(Array.from({ length: 100 }, (_, index) => `word${index}`).join(' '))
  assert.equal(long?.alternatives[0]?.length, 30)
})

test('an excerpt marks the words, escapes the rest and stays near the first match', () => {
  const query = parseQuery('invoice') ?? { alternatives: [] }
  assert.equal(
    highlight('<b>&"invoices.ts"</b>', query),
    '&lt;b&gt;&amp;&quot;<mark>invoices</mark>.ts&quot;&lt;/b&gt;',
  )
  const long = highlight(`${'before '.repeat(500)}invoice ${'after '.repeat(500)}`, query)
  assert.match(long, /before <mark>invoice<\/mark> after/)
  assert.equal(long.split(' ').length, 35)
  assert.equal(
    highlight('これは日本語です', parseQuery('日本語') ?? { alternatives: [] }),
    'これは<mark>日本語</mark>です',
  )
})

test('a tsvector keeps within the limits of PostgreSQL, whatever the text', () => {
  assert.equal(
    toTsquery(parseQuery('"a b" -payments or x') ?? { alternatives: [] }),
    `(('a' <1> 'b') & !(('payment' | '\u0003payment'))) | ((('x' | '\u0003x')))`,
  )
  const names = Array.from({ length: 5_000 }, (_, index) => `Აბგ${index}ᲓევზᲗიკ${index}Ლმნ`).join(' ')
  for (const text of [names, 'a '.repeat(40_000), 'x'.repeat(65_536)])
    assert.ok(wordVector([{ text, isTitle: false }]).length < 1_048_576)
})
