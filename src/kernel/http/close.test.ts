import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { closeHttp, createHttp, listen } from '#kernel/http'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { startProduct } from '#test/product'

const product = await startProduct({ SHUTDOWN_TIMEOUT_MS: '600000' })

test('a connection that waits to be accepted when a server stops listening is served', async () => {
  const app = await createHttp({
    config: product.config,
    log: await createLog({ level: 'silent', form: 'json' }),
    metrics: createMetrics(),
    resolvers: {
      apiKey: () => assert.fail(),
      keyForAccessToken: async () => undefined,
      session: async () => null,
      isOwnerToken: () => false,
      localOwner: () => assert.fail(),
    },
    version: 'test',
  })
  const { port } = new URL(await listen(app, product.config))
  const drainMs = 20
  // Right after the event loop has looked for connections.
  await new Promise((resolve) => setImmediate(resolve))
  const closed = closeHttp(app, { drainMs, timeoutMs: 10_000 })
  const socket = connect(Number(port), '127.0.0.1')
  // The system has the connection by then, and the delay is over before the event loop looks for connections again.
  process.nextTick(() => {
    const over = performance.now() + drainMs + 5
    while (performance.now() < over);
  })
  socket.write('GET /here HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  await once(socket, 'close')
  assert.match(received, /^HTTP\/1\.1 404 [^]*Route not found: GET \/here/)
  await closed
})

test(
  'a connection that was opened but never used does not hold up the stop',
  { timeout: 30_000 },
  async () => {
    const { hostname, port } = new URL(product.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    await product.call('/livez')
    const closed = once(socket, 'close')
    socket.on('error', () => undefined)
    await product.stop()
    await closed
  },
)
