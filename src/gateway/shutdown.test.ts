import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

/** Begins each stream, sends nothing for other requests, and never ends. */
const waiting: ServerResponse[] = []
const upstream = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString()))
  request.on('end', () => {
    waiting.push(response)
    if (!body.includes('"stream":true')) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'half' } }] })}\n\n`)
  })
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => {
  upstream.closeAllConnections()
  upstream.close()
})
const { port } = upstream.address() as AddressInfo
const server = await startGateway({
  OPENROUTER_BASE_URL: `http://127.0.0.1:${port}`,
  SHUTDOWN_TIMEOUT_MS: '200',
})

const model = 'openrouter/some/model'
const messages = [{ role: 'user', content: 'Hello' }]
const message = 'The server is stopping and could not wait for the rest of the response. Try again.'

test('at the shutdown limit a response ends with an error in its own format, and is logged as that', async () => {
  const ask = (path: string, json: object) => server.call(path, { key: server.key, json: { model, ...json } })
  const calls = [
    ask('/v1/chat/completions', { messages, stream: true }),
    ask('/v1/messages', { messages, stream: true, max_tokens: 10 }),
    ask('/v1/responses', { input: 'Hello', stream: true, store: false }),
    ask('/v1/chat/completions', { messages }),
  ]
  await waitFor('all requests upstream', () => waiting.length === 4)
  await server.stop()
  const [chat, messagesStream, responses, whole] = await Promise.all(calls)
  assert.equal(chat?.status, 200)
  const error = { message, type: 'server_error', param: null, code: 'unavailable' }
  assert.match(chat?.text ?? '', /half/)
  assert.deepEqual(lastData(chat?.text), { error })
  assert.doesNotMatch(chat?.text ?? '', /\[DONE\]/)
  assert.match(messagesStream?.text ?? '', /event: error\ndata: \{"type":"error",.*The server is stopping/)
  assert.match(responses?.text ?? '', /event: error\ndata: \{.*The server is stopping/)
  assert.equal(whole?.status, 503)
  assert.deepEqual(whole?.json.error, error)
  assert.equal(whole?.headers.get('retry-after'), '5')

  const rows = await logged()
  assert.equal(rows.length, 4)
  for (const row of rows) assert.deepEqual(row, { status_code: 503, error_message: message })
})

function lastData(text = ''): unknown {
  return JSON.parse(text.trim().split('\n').at(-1)?.slice('data: '.length) ?? '')
}

async function logged(): Promise<unknown[]> {
  assert.ok(server.target.kind === 'embedded')
  const client = new pg.Client({ ...server.target.address, database: server.target.database })
  await client.connect()
  try {
    return (await client.query('select status_code, error_message from usage.usage_logs')).rows as unknown[]
  } finally {
    await client.end()
  }
}
