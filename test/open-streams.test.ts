import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from './harness/gateway.ts'
import { disconnectEarly } from './harness/gone-client.ts'
import { ownerTokenOf } from './harness/owner.ts'
import { waitFor } from './harness/wait.ts'

const server = await startGateway({
  STANDUP_MODEL: exampleModels.openai,
  RUNTIME: 'builtin',
  MAX_STREAMS_PER_GROUP: '2',
  MAX_STREAMS: '3',
})
const { call } = server

interface Opened {
  status: number
  headers: Headers
  text: Promise<string>
  close(): void
}

/** What is refused is read; what is streamed is not, until it is closed. */
async function open(
  path: string,
  { group = '', json }: { group?: string; json?: object } = {},
): Promise<Opened> {
  const controller = new AbortController()
  const response = await fetch(`${server.url}${path}`, {
    method: json ? 'POST' : 'GET',
    headers: {
      accept: 'text/event-stream',
      'x-owner-token': ownerTokenOf(server.url) ?? '',
      ...(group !== '' && { 'x-group-id': group }),
      ...(json && { 'content-type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
    signal: controller.signal,
  })
  const { status, headers } = response
  const text = status === 200 ? Promise.resolve('') : response.text()
  return { status, headers, text, close: () => controller.abort() }
}

async function initiativeOf(group?: string): Promise<string> {
  const headers = group === undefined ? {} : { 'x-group-id': group }
  const { json } = await call('/api/initiatives', { json: { title: 'Checkout' }, headers })
  return `/api/initiatives/${json.id}`
}

test('a group and a process have a limited number of open streams; more are refused before anything is started', async () => {
  const other = (await call('/api/v1/groups', { json: { name: 'Other' } })).json.id as string
  const [own, theirs] = [await initiativeOf(), await initiativeOf(other)]
  const asked = { json: { request: 'How many orders are there?', async: true } }
  const run = (await call('/api/agents/data-engineer/ask', asked)).json.run_id as string
  await call(`/api/agent-runs/${run}/cancel`, { method: 'POST' })

  server.fake.script('openai', { text: 'Hello.' })
  const standup = await open(`${own}/standup`, { json: {} })
  const tail = await open('/api/console/stream')
  assert.deepEqual([standup.status, tail.status], [200, 200])

  const refused = [
    await open(`${own}/standup`, { json: {} }),
    await open(`${own}/standup/events`),
    await open(`/api/agent-runs/${run}/events`),
    await open('/api/agents/data-engineer/ask', { json: { request: 'How many orders are there?' } }),
    await open('/api/console/stream'),
  ]
  for (const { status, headers, text } of refused) {
    assert.deepEqual([status, headers.get('retry-after')], [429, '10'])
    assert.match(await text, /The group has 2 open streams.*"code":"rate_limit"/)
  }
  assert.equal((await call('/api/agent-runs')).json.data.length, 1)

  // Another group is not concerned, until the process has too many.
  const first = await open('/api/console/stream', { group: other })
  assert.equal(first.status, 200)
  const last = await open(`${theirs}/standup`, { group: other, json: {} })
  assert.equal(last.status, 429)
  assert.match(await last.text, /The server has too many open streams/)
  assert.equal((await call(`${theirs}/standup`, { headers: { 'x-group-id': other } })).json.session, null)

  // A client that disconnects makes room.
  standup.close()
  await waitFor('a free place', async () => (await open(`/api/agent-runs/${run}/events`)).status === 200)
  tail.close()
  first.close()
})

test('a client that disconnects while its key is read leaves no stream open', async () => {
  for (let round = 0; round < 3; round++) await disconnectEarly(server, 'GET /api/console/stream')
  const opened = await waitFor(
    'a free place',
    async () => {
      const stream = await open('/api/console/stream')
      return stream.status === 200 && stream
    },
    10_000,
  )
  opened.close()
})
