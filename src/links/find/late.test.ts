import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { startGateway } from '#test/gateway'
import { ask, make, session, setPrice } from '../testing-story.ts'

/** What comes late, is unlinked or deleted: links and costs follow. */

let close = async (): Promise<void> => undefined
after(() => close())
const it = await startGateway()
await setPrice(it)
const database = new pg.Client(clientConfig(it.target))
await database.connect()
close = () => database.end()

const costs = async (query: string) => (await it.call(`/api/v1/costs?${query}`)).json

/** Changes of the last minute are looked at again: this one was longer ago. */
async function age(table: string, id: string): Promise<void> {
  await database.query(`update ${table} set updated_at = now() - interval '5 minutes' where id = $1`, [id])
}

test('a session that is unlinked on the page of an initiative costs it nothing from then on', async () => {
  const initiative = await make(it, '/api/initiatives', { title: 'Unlinked' })
  const work = await session(it, { prompt: 'Go on.' })
  // 1,000 tokens in, 500 out: 0.001 + 0.001.
  await ask(it, work.key, 1_000, 500)
  const linked = await make(it, `/api/initiatives/${initiative.id}/links`, {
    ...{ kind: 'transcript', target: work.id },
  })
  const [link] = (linked as unknown as { links: { id: string }[] }).links
  const exact = async () => (await costs(`type=initiative&id=${initiative.id}`)).exact
  assert.equal(await exact(), '0.002')
  await age('initiatives.initiatives', initiative.id)
  await age('transcripts.sessions', work.id)
  const path = `/api/initiatives/${initiative.id}/links/${link?.id}`
  assert.ok((await it.call(path, { method: 'DELETE' })).status < 300)
  assert.equal(await exact(), '0')
})
