import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SchemaRelation } from '#sql/contract'
import { quoted } from './quote-name.ts'
import { suggestionsAt } from './suggest.ts'

const relation = (
  schema: string,
  name: string,
  columns: string[],
  kind: SchemaRelation['kind'] = 'table',
) => ({
  schema,
  name,
  kind,
  rows_estimate: null,
  bytes: null,
  columns: columns.map((column) => ({ name: column, type: 'text', is_nullable: true })),
  keys: [],
  indexes: [],
})

const relations = [
  relation('public', 'orders', ['id', 'note', 'Customer']),
  relation('public', 'users', ['id', 'email']),
  relation('sales', 'Deal Sheet', ['amount'], 'view'),
]

/** What is offered at the mark `|` in the text, as it would be written. */
function offered(marked: string): string[] {
  const position = marked.indexOf('|')
  const { options } = suggestionsAt(relations, marked.replace('|', ''), position)
  return options.map(({ label, apply = label }) => apply)
}

test('tables and schemas are offered everywhere, columns of the tables that the statement names', () => {
  assert.deepEqual(offered('select | from orders'), [
    ...['id', 'note', '"Customer"'],
    ...['orders', 'users', 'sales."Deal Sheet"'],
    ...['public', 'sales'],
  ])
  assert.deepEqual(offered('sel|'), ['orders', 'users', 'sales."Deal Sheet"', 'public', 'sales'])
})

test('after a dot, the columns of the table or alias, or the tables of the schema', () => {
  assert.deepEqual(offered('select u.| from orders o join users as u on true'), ['id', 'email'])
  assert.deepEqual(offered('select ORDERS.n| from orders'), ['id', 'note', '"Customer"'])
  assert.deepEqual(offered('select * from sales.|'), ['"Deal Sheet"'])
  assert.deepEqual(offered('select o.id, o.note from orders o where o.|'), ['id', 'note', '"Customer"'])
  assert.deepEqual(offered('select nothing.|'), [])
})

test('a suggestion replaces the word that was begun, not what is before it', () => {
  const text = 'select o.no from orders o'
  assert.equal(suggestionsAt(relations, text, 'select o.no'.length).from, 'select o.'.length)
})

test('names are quoted where PostgreSQL needs it', () => {
  assert.deepEqual(['orders', 'Order', 'user', 'a"b', 'größe', '2fa'].map(quoted), [
    'orders',
    '"Order"',
    '"user"',
    '"a""b"',
    '"größe"',
    '"2fa"',
  ])
})
