import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asCsv } from '../../../../ui/csv.ts'
import { cellText } from './as-text.ts'

test('CSV: NULL is empty, JSON and line breaks are quoted, numbers stay numbers', () => {
  const columns = [{ name: 'id' }, { name: 'note' }, { name: 'total' }]
  const rows = [
    { id: 1, note: null, total: '-5.20' },
    { id: 2, note: { a: [1] }, total: '+1e9' },
    { id: 3, note: 'two\nlines, "quoted"', total: '' },
  ]
  assert.equal(
    asCsv(columns, rows),
    'id,note,total\r\n1,,-5.20\r\n2,"{""a"":[1]}",+1e9\r\n3,"two\nlines, ""quoted""",\r\n',
  )
})

test('CSV: what a spreadsheet would run as a formula begins with an apostrophe, in names too', () => {
  for (const text of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '  =1', '\t=1', '\r=1']) {
    const [head, line] = asCsv([{ name: text }], [{ [text]: text }]).split('\r\n', 2)
    const expected = text.includes('\r') ? undefined : `'${text}`
    if (expected !== undefined) assert.deepEqual([head, line], [expected, expected])
  }
  assert.ok(asCsv([{ name: 'a' }], [{ a: '\r=1' }]).includes(`"'\r=1"`))
})

test('NULL is not the text of an empty value', () => {
  assert.deepEqual([null, '', 'NULL', false].map(cellText), ['NULL', '', 'NULL', 'false'])
})
