import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toExcerpt } from './excerpt.ts'
import { plainText } from './plain-text.ts'

test('an excerpt has no signs of Markdown, and names keep theirs', () => {
  const markdown = [
    '## Decision',
    '',
    '> The **total** differs by a _cent_, see [the ledger](https://example.com/a_b "ledger") and `src/**/*.ts`.',
    '- [ ] check `InvoiceTotal.round()`',
    '1. ***first***, ~~not~~ \\*this\\*',
    '| Name | Price |',
    '|------|------:|',
    '| gpt_6_sol | 2 * 3 * 4 |',
    '```ts',
    'const user_id = init__(a)',
    '```',
    '![a picture](picture.png) <https://example.com> snake_case_name',
    '---',
  ].join('\n')
  assert.equal(
    plainText(markdown),
    [
      'Decision The total differs by a cent, see the ledger and src/**/*.ts.',
      'check InvoiceTotal.round() first, not *this* Name Price gpt_6_sol 2 * 3 * 4',
      'const user_id = init__(a) a picture https://example.com snake_case_name',
    ].join(' '),
  )
})

test('the words of the query are marked, also with another ending, and common ones are not', () => {
  const { text, highlights } = toExcerpt(
    '**Invoices** are rounded\ntwice by the `InvoiceTotal`',
    'the invoice rounding',
  )
  assert.equal(text, 'Invoices are rounded twice by the InvoiceTotal')
  assert.deepEqual(
    highlights.map(([from, to]) => text.slice(from, to)),
    ['Invoices', 'rounded', 'InvoiceTotal'],
  )
})

test('a long text is cut between words around what was found, and marks what it cuts', () => {
  const { text, highlights } = toExcerpt(
    `${'before '.repeat(200)}**kettle** boils ${'after '.repeat(200)}`,
    'kettle',
  )
  assert.match(text, /^…before (before )+kettle boils after (after )+after…$/)
  assert.ok(text.length <= 302, String(text.length))
  assert.deepEqual(
    highlights.map(([from, to]) => text.slice(from, to)),
    ['kettle'],
  )
  const { text: beginning, highlights: none } = toExcerpt('word '.repeat(200), 'kettle')
  assert.match(beginning, /^word (word )+word…$/)
  assert.deepEqual(none, [])
  assert.ok(toExcerpt('y'.repeat(1_000), 'kettle').text.length <= 301)
})

test('the part with most of the words is shown', () => {
  const filler = 'nothing '.repeat(60)
  const { text } = toExcerpt(`kettle ${filler} a kettle that whistles ${filler}`, 'whistling kettle')
  assert.match(text, /kettle that whistles/)
})

test('long hostile Markdown takes no time', () => {
  for (const piece of ['[', '![', '**', '_a', '`', '|', '<http://', '~~', '> ', '- ', '\\'])
    assert.ok(plainText(piece.repeat(2_000)).length <= 10 * 2_000)
})
