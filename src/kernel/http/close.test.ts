import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startProduct } from '#test/product'

test(
  'a connection that was opened but never used does not hold up the stop',
  { timeout: 30_000 },
  async () => {
    const product = await startProduct({ SHUTDOWN_TIMEOUT_MS: '600000' })
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
