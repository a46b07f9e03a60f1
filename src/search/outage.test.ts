import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { startProduct } from '#test/product'
import { startFakeRuntime } from '#test/runtime'
import { waitFor } from '#test/wait'

test('chunks that a broken runtime could not embed get their vectors later, all but those that the model refuses', async () => {
  const fake = await startFakeRuntime('ollama')
  after(() => fake.stop())
  fake.fault = 'broken'
  fake.isBad = (text) => text.includes('rejected-text')
  let close = async (): Promise<void> => undefined
  after(() => close())
  const { call, target, logged } = await startProduct({ RUNTIME: 'ollama', RUNTIME_URL: fake.url })
  const database = new pg.Client(clientConfig(target))
  await database.connect()
  close = () => database.end()
  for (const description of ['accepted', 'rejected-text'])
    await call('/api/tickets', { json: { title: 'A ticket', description } })
  const indexed = async (): Promise<number> =>
    (await database.query(`select from search.chunks where kind = 'ticket'`)).rowCount ?? 0
  await waitFor('the tickets to be indexed', async () => (await indexed()) === 2)
  await call('/api/v1/search/reindex', { method: 'POST' })
  await waitFor('a failure', () => /embedding for the search is paused|could not be embedded/.test(logged()))

  fake.fault = undefined
  await call('/api/v1/search/reindex', { method: 'POST' })
  await waitFor('all chunks', async () => (await call('/api/v1/search/state')).json.waiting === 0)
  const { rows } = await database.query(
    `select kind, content from search.chunks
     where id <= (select max(embedded_through) from search.models)
       and not exists (select from search.vectors where chunk_id = chunks.id)`,
  )
  assert.deepEqual(
    rows.map(({ kind, content }) => [kind, content.includes('rejected-text')]),
    [['ticket', true]],
  )
})
