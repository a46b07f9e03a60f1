import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct, type Product } from '#test/product'
import { waitFor } from '#test/wait'

const product = await startProduct()
const groupId = product.first.groupId
const asAdmin = (sql: string) => administer(sql, databaseOf(product))

/** What the trigger leaves of a record that an agent writes by SQL. */
const unannounced = (kind: string, title: string, table = kind, to = 'unannounced'): string =>
  `insert into records.${to} (group_id, kind, action, record_id)
   select group_id, '${kind}', 'created', id from records.${table} where title = '${title}';`

async function titles({ call }: Pick<Product, 'call'>, word: string): Promise<string[]> {
  const { json } = await call('/api/console/events?limit=1000')
  return (json.data as { title: string }[])
    .map(({ title }) => title)
    .filter((title) => title.includes(word))
    .toSorted()
}

test('a record that cannot be read holds back the events of those beside it, and each is emitted once', async () => {
  await asAdmin(
    `insert into records.tickets (group_id, title) values ('${groupId}', 'once, a ticket');
     insert into records.devlogs (group_id, title) values ('${groupId}', 'once, a devlog');`,
  )
  await asAdmin(
    `alter table records.devlogs rename to hidden;
     ${unannounced('tickets', 'once, a ticket')} ${unannounced('devlogs', 'once, a devlog', 'hidden')}
     notify records_unannounced`,
  )
  await waitFor('a try that fails', () => /records_unannounced.*does not exist/.test(product.logged()))
  await asAdmin('alter table records.hidden rename to devlogs')
  await waitFor('the devlog', async () => (await titles(product, 'once, a devlog')).length > 0)
  assert.deepEqual(await titles(product, 'once, '), [
    'Devlog created: once, a devlog',
    'Ticket created: once, a ticket',
  ])
})

test('what waits at a start and cannot be read then is announced later', async () => {
  await asAdmin(
    `insert into records.tickets (group_id, title) values ('${groupId}', 'before the start');
     alter table records.unannounced rename to hidden;
     ${unannounced('tickets', 'before the start', 'tickets', 'hidden')}`,
  )
  const next = await startProduct({}, product.target)
  await waitFor('a try that fails', () => /unannounced.{0,20} does not exist/.test(next.logged()))
  await asAdmin('alter table records.hidden rename to unannounced')
  await waitFor('the event', async () => (await titles(next, 'before the start')).length === 1)
})
