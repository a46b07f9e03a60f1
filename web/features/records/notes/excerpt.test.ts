import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './excerpt.ts'

test('an excerpt has no marks of Markdown, and every character of names and code', () => {
  for (const [source, text] of [
    ['## Why\n\nThe p95 was **1.4 s**, _now_ 80 ms.', 'Why: The p95 was 1.4 s, now 80 ms.'],
    ['# What now?\n\n- wait', 'What now? wait'],
    ['| State | Rows |\n| --- | ---: |\n| paid | 3 |', 'State · Rows paid · 3'],
    ['an index on (customer_id, created_at)', 'an index on (customer_id, created_at)'],
    ['call `__init__` and `a * b`', 'call __init__ and a * b'],
    ['2 * 3 is 6', '2 * 3 is 6'],
    ['- one\n- two\n> three', 'one two three'],
    ['```sql\nselect 1\n```', 'select 1'],
  ] as const)
    assert.equal(excerptOf(source), text)
  assert.equal(excerptOf('x'.repeat(300)), `${'x'.repeat(280)}…`)
})
