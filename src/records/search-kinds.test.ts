import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { createRecords } from './index.ts'
import { send } from './testing-records.ts'

const product = await startProduct()
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(product.target, log)
after(() => database.close())
const { searchKinds = [] } = createRecords({
  database,
  config: product.config,
  events: createEvents(log),
  log,
  version: 'test',
})

test('tickets, devlogs and learnings are handed to the search, changed ones again, deleted ones as missing', async () => {
  assert.deepEqual(
    searchKinds.map(({ kind }) => kind),
    ['ticket', 'devlog', 'learning'],
  )
  const devlogs = searchKinds[1]
  assert.ok(devlogs)
  const made = []
  for (const title of ['one', 'two', 'three'])
    made.push(await send(product, 'POST', '/api/devlogs', { title, content: `About ${title}` }, 201))
  const first = await devlogs.changed(null, 2)
  assert.deepEqual([first.documents.map(({ title }) => title), first.more], [['one', 'two'], true])
  const rest = await devlogs.changed(first.cursor, 2)
  assert.deepEqual([rest.documents.map(({ title }) => title), rest.more], [['three'], false])
  assert.equal(rest.documents[0]?.text, 'About three')
  await send(product, 'PATCH', `/api/devlogs/${made[0].id}`, { title: 'new one' }, 200)
  const again = await devlogs.changed(rest.cursor, 10)
  assert.equal(again.documents.at(-1)?.title, 'new one')
  await send(product, 'DELETE', `/api/devlogs/${made[1].id}`, undefined, 204)
  const missing = await devlogs.missing(made.map(({ id }) => ({ id, at: new Date() })))
  assert.deepEqual(missing, [made[1].id])
})

test('records with a time to come do not keep those of other groups out of the search', async () => {
  const learnings = searchKinds[2]
  assert.ok(learnings)
  await administer(
    `insert into records.learnings (group_id, title, updated_at)
     select '${product.first.groupId}', 'later', '9000-01-01' from generate_series(1, 5)`,
    databaseOf(product),
  )
  const { cursor } = await learnings.changed(null, 5)
  await send(product, 'POST', '/api/learnings', { title: 'now', content: 'About now' }, 201)
  const { documents } = await learnings.changed(cursor, 5)
  assert.deepEqual(
    documents.map(({ title }) => title),
    ['now'],
  )
})

test('a ticket is found by what an agent said about it', async () => {
  const { id } = await send(product, 'POST', '/api/tickets', { title: 'Slow', description: 'Why?' }, 201)
  await administer(
    `update records.tickets set run_result = 'No index.', updated_at = now() where id = '${id}'`,
    databaseOf(product),
  )
  const { documents = [] } = (await searchKinds[0]?.changed(null, 10)) ?? {}
  assert.equal(documents.find((each) => each.id === id)?.text, 'Why?\nNo index.')
})
