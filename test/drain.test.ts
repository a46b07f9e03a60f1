import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { startGateway } from './harness/gateway.ts'
import { waitFor } from './harness/wait.ts'

const server = await startGateway({ DRAIN_DELAY_MS: '6000' })
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
after(() => agent.destroy())

interface Seen {
  status: number | undefined
  connection: string | undefined
  body: { status?: string; object?: string }
}

/** One request over the agent's connection, or over a new one. */
function ask(path: string, json?: object, over: Agent | false = false): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      {
        agent: over,
        method: json ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      },
      (response) => {
        let text = ''
        response.on('data', (piece: Buffer) => (text += piece.toString()))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            connection: response.headers.connection,
            body: JSON.parse(text) as Seen['body'],
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(json && JSON.stringify(json))
  })
}

const chat = { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] }

test('a stop fails /readyz first, serves on with connection: close, and then accepts nothing new', async () => {
  const before = await ask('/v1/chat/completions', chat, agent)
  assert.deepEqual([before.status, before.connection], [200, 'keep-alive'])
  const idle = connect(Number(new URL(server.url).port), '127.0.0.1')
  const idleClosed = once(idle, 'close')
  idle.on('error', () => undefined)
  let late = ''
  idle.on('data', (piece: Buffer) => (late += piece.toString()))
  idle.write('GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await waitFor('a connection that is kept alive', () => late.includes('alive'))
  late = ''

  const stopped = server.stop()
  const ready = await waitFor('/readyz to fail', async () => {
    const seen = await ask('/readyz')
    return seen.status === 503 && seen
  })
  assert.equal(ready.body.status, 'stopping')
  for (const over of [agent, false] as const) {
    const seen = await ask('/v1/chat/completions', chat, over)
    assert.deepEqual([seen.status, seen.connection, seen.body.object], [200, 'close', 'chat.completion'])
  }
  await waitFor('the listener to close', () =>
    ask('/livez').then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    ),
  )
  // A proxy may have sent it before it noticed.
  const body = JSON.stringify(chat)
  idle.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${server.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await idleClosed
  assert.match(late, /^HTTP\/1\.1 200 OK[^]*connection: close[^]*"chat\.completion"/i)
  await stopped
  assert.deepEqual(await loggedStatuses(), [200, 200, 200, 200])
})

async function loggedStatuses(): Promise<number[]> {
  assert.ok(server.target.kind === 'embedded')
  const client = new pg.Client({ ...server.target.address, database: server.target.database })
  await client.connect()
  const { rows } = await client.query<{ status_code: number }>('select status_code from usage.usage_logs')
  await client.end()
  return rows.map((row) => row.status_code)
}
