import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersPage } from './accept.ts'

const cases: [string | undefined, boolean][] = [
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML; charset=utf-8', true],
  ['text/*;q=0.3, application/json;q=0.2', true],
  ['application/json;q=0.5, text/html;q=0.7', true],
  ['application/json, text/html', false],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=0.1, */*', false],
  ['text/html;q=2', false],
  ['*/*', false],
  ['application/json', false],
  ['', false],
  [undefined, false],
]

test('a page is sent to those who would rather have it, by the weights of Accept', () => {
  for (const [accept, isPage] of cases)
    assert.equal(prefersPage(accept === undefined ? {} : { accept }), isPage, String(accept))
})
