import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight, isMatch, lexemeOf, parseQuery, soughtLexemes } from './index.ts'
import { rootOf } from './lexeme.ts'

function matches(query: string, text: string): boolean {
  const parsed = parseQuery(query)
  return parsed !== null && isMatch(text, parsed)
}

test('words are found by their stem, without regard to case, as parts of paths and names', () => {
  for (const [query, text] of [
    ['invoice', 'Two INVOICES were sent'],
    ['hope', 'we were hoping'],
    ['probability', 'probable'],
    ['invoice', 'src/invoice.ts:12'],
    ['src/invoice.ts', 'the invoice in src, written in ts'],
    ['total_price', 'const total = price'],
    ['grün', 'Das Grüne? Grün!'],
    ['日本', '«日本»'],
    ['0190b3a2', 'session 0190b3a2-7777'],
  ] as const)
    assert.ok(matches(query, text), `${query} in ${text}`)
  assert.ok(!matches('voice', 'invoice'), 'not within a word')
  assert.ok(!matches('art', 'start'), 'not at the end of a word')
})

test('every word begins with the root of its lexeme', () => {
  const words = `relational conditional valency hesitancy digitizer conformably radically differently vilely
    analogously vietnamization predication operator feudalism decisiveness hopefulness callousness formality
    sensitivity sensibility archaeology triplicate formative formalize electricity electrical hopeful goodness
    hoping hopped cries tied agreed sized happy say ability stability probability controlling rolling`
  for (const word of words.split(/\s+/)) {
    const root = rootOf(lexemeOf(word) ?? '')
    assert.ok(word.startsWith(root), `${word} ${root}`)
  }
})

test('quotes ask for a phrase, a minus for absence, or for alternatives', () => {
  assert.ok(matches('"banker rounding"', 'uses banker rounding here'))
  assert.ok(matches('"banker rounding"', 'banker, then banker: rounding'))
  assert.ok(!matches('"banker rounding"', 'rounding of a banker'))
  assert.ok(matches('"state of the art"', 'State of an art'), 'words without meaning keep their places')
  assert.ok(!matches('"state of the art"', 'state art'))
  assert.ok(matches('rounding -banker', 'rounding up'))
  assert.ok(!matches('rounding -banker', 'banker rounding'))
  assert.ok(matches('rounding -"banker rounding"', 'rounding of a banker'))
  assert.ok(matches('cat or dog house', 'a cat'))
  assert.ok(matches('cat or dog house', 'house of a dog'))
  assert.ok(!matches('cat or dog house', 'a dog'))
})

test('a query without words finds nothing, and one that is too long is cut', () => {
  for (const text of ['', 'the', '"of the"', '-', '" "', '...', 'or', '-the or "'])
    assert.equal(parseQuery(text), null, text)
  const long = parseQuery(Array.from({ length: 100 }, (_, index) => `word${index}`).join(' '))
  assert.equal(long?.alternatives[0]?.length, 30)
})

test('an excerpt marks the words, escapes the rest and stays near the first match', () => {
  const lexemes = soughtLexemes(parseQuery('invoice') ?? { alternatives: [] })
  assert.equal(
    highlight('<b>&"invoices.ts"</b>', lexemes),
    '&lt;b&gt;&amp;&quot;<mark>invoices</mark>.ts&quot;&lt;/b&gt;',
  )
  const long = highlight(`${'before '.repeat(500)}invoice ${'after '.repeat(500)}`, lexemes)
  assert.match(long, /before <mark>invoice<\/mark> after/)
  assert.equal(long.split(' ').length, 35)
})
