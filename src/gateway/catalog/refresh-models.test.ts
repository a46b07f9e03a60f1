import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway({ MODEL_SYNC_HOURS: '1' })
let page: { json: unknown } | string = { json: { data: [{ id: 'house/one' }] } }
server.fake.always({ provider: 'openrouter', endpoint: 'models' }, () => ({ body: page }))

async function sql(text: string): Promise<Record<string, unknown>[]> {
  assert.ok(server.target.kind === 'embedded')
  const client = new pg.Client({ ...server.target.address, database: server.target.database })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** An hour passes, and the job has its turn. */
async function refresh(): Promise<void> {
  await sql(`update gateway.model_syncs set tried_at = now() - interval '1 hour'`)
  await sql(`insert into jobs.job (name) values ('gateway.refresh-models')`)
  await waitFor('the refresh', async () => {
    const [due] = await sql(
      `select 1 from gateway.model_syncs where tried_at < now() - interval '30 minutes'`,
    )
    return !due
  })
}

async function events(): Promise<[string, string][]> {
  const { json } = await server.call('/api/console/events?type=sync&limit=50')
  return json.data.map((event: { severity: string; message: string }) => [event.severity, event.message])
}

const sync = (headers = {}) =>
  server.call('/providers/openrouter/models/sync', { method: 'POST', json: {}, headers })

test('a browser form is sent back to the page, a client gets what changed', async () => {
  const form = await server.call('/providers/openrouter/models/sync', {
    method: 'POST',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', origin: server.url },
  })
  assert.deepEqual([form.status, form.headers.get('location')], [303, '/providers'])
  const client = await sync({ accept: 'application/json, text/html;q=0.5' })
  assert.deepEqual([client.status, client.json.synced, client.json.added], [200, 1, 0])
})

test('lists refresh in the background; failures are reported once, until one succeeds', async () => {
  page = { json: { data: [{ id: 'house/one' }, { id: 'house/two' }, { id: 'house/three' }] } }
  await refresh()
  const { json } = await server.call('/v1/models', { key: server.key })
  const ids = json.data.map(({ id }: { id: string }) => id)
  assert.ok(ids.includes('openrouter/house/two'), ids.join())
  const told = await waitFor('the event', async () => {
    const list = await events()
    return list.some(([, message]) => message === '2 added, 0 updated, 0 removed.') && list
  })
  page = '<h1>Down for maintenance</h1>'
  await refresh()
  await refresh()
  const failed = await waitFor('the failure', async () => {
    const list = await events()
    return list.length > told.length && list
  })
  assert.equal(failed.length, told.length + 1)
  assert.equal(failed[0]?.[0], 'warning')
  page = { json: { data: [{ id: 'house/one' }] } }
  await refresh()
  page = '<h1>Down again</h1>'
  await refresh()
  await waitFor('both events', async () => (await events()).length === failed.length + 2)
})
