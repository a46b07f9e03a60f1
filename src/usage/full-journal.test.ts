import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGateway, type GatewayProduct } from '#test/gateway'
import { waitFor } from '#test/wait'
import { journalFolder } from './ledger/inspect-journal.ts'

const filler = ({ config }: GatewayProduct): string => join(journalFolder(config.DATA_DIR), 'filler')
const json = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] }
const problems = ['requests cannot be written to the usage journal']

test('/readyz fails while the journal cannot be written, so that other replicas get the traffic, and not when it can again', async () => {
  const server = await startGateway({ JOURNAL_MAX_BYTES: '1048576' })
  assert.deepEqual((await server.call('/readyz')).json, { status: 'ready', database: 'ok' })
  writeFileSync(filler(server), Buffer.alloc(1_100_000))
  await waitFor('the journal to be full', async () => (await server.call('/readyz')).json.status !== 'ready')
  const { status, json: body } = await server.call('/readyz')
  assert.deepEqual([status, body], [503, { status: 'unavailable', database: 'ok', problems }])
  for (let n = 0; n < 20; n++) {
    const refused = await server.call('/v1/chat/completions', { key: server.key, json })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5'])
  }
  const failures = server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"a request failed"'))
  assert.equal(failures.length, 1, 'the same failure is logged once')
  rmSync(filler(server))
  await waitFor('the journal to be free', async () => (await server.call('/readyz')).json.status === 'ready')
  assert.equal((await server.call('/v1/chat/completions', { key: server.key, json })).status, 200)
})

test('a server that serves without a record of its requests stays ready, and says so', async () => {
  const server = await startGateway({ JOURNAL_MAX_BYTES: '1048576', JOURNAL_FULL: 'serve' })
  writeFileSync(filler(server), Buffer.alloc(1_100_000))
  await waitFor('the journal to be full', async () => (await server.call('/readyz')).json.status !== 'ready')
  const { status, json: body } = await server.call('/readyz')
  assert.deepEqual([status, body], [200, { status: 'degraded', database: 'ok', problems }])
})
