import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

test('a file for spreadsheets quotes what has to be, and runs nothing', () => {
  const lines = [
    ['Name', 'Cost', 'Note'],
    ['a "b", c', '-0.5', 'two\nlines'],
    ['=1+1', '@x', '-'],
  ]
  assert.equal(csvOf(lines), 'Name,Cost,Note\r\n"a ""b"", c",-0.5,"two\nlines"\r\n\'=1+1,\'@x,\'-\r\n')
})
