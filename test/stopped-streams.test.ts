import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { spawnProduct } from './harness/process.ts'
import { temporaryFolder } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

/** Begins every stream and continues when the test says so. */
const begun: ServerResponse[] = []
const upstream = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'one ' }))
    begun.push(response)
  })
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => {
  upstream.closeAllConnections()
  upstream.close()
})

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'some/model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

const count = 40

test('chat streams that are open at SIGTERM end whole or with an error, and each is logged once', async () => {
  const environment = {
    DATA_DIR: temporaryFolder(),
    OPENROUTER_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    SHUTDOWN_TIMEOUT_MS: '3000',
  }
  const server = await spawnProduct(environment)
  const key = server.key ?? ''
  const added = await server.call('/providers/openrouter', {
    json: { api_key: 'sk-or-v1-0123456789abcdef', name: 'key' },
    headers: { accept: 'application/json' },
  })
  assert.equal(added.status, 201, added.text)
  const streams = Array.from({ length: count }, () =>
    server.call('/v1/chat/completions', {
      key,
      json: {
        model: 'openrouter/some/model',
        messages: [{ role: 'user', content: 'Hello' }],
        stream: true,
      },
    }),
  )
  await waitFor('all streams upstream', () => begun.length === count)
  const ended = server.end('SIGTERM')
  await waitFor('new connections to be refused', () =>
    fetch(`${server.url}/livez`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  )
  // Every second one continues and ends; the others send nothing any more.
  for (const response of begun.filter((_response, at) => at % 2 === 0)) {
    response.write(chunk({ content: 'two' }, 'stop'))
    response.end('data: [DONE]\n\n')
  }
  const texts = (await Promise.all(streams)).map(({ text }) => text)
  const whole = texts.filter((text) => text.includes('two') && text.endsWith('data: [DONE]\n\n'))
  const cut = texts.filter((text) => text.includes('one ') && /"The server is stopping[^\n]*\n\n$/.test(text))
  assert.deepEqual([whole.length, cut.length], [count / 2, count / 2], texts.at(-1))
  assert.equal(await ended, 0)

  const next = await spawnProduct(environment)
  const { json } = await next.call(`/api/v1/logs?limit=100`)
  const rows = json.data as { status_code: number }[]
  const countOf = (status: number): number => rows.filter((row) => row.status_code === status).length
  assert.deepEqual([rows.length, countOf(200), countOf(503)], [count, count / 2, count / 2])
})
