import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { ownerTokenOf } from '#test/owner'
import { startProduct } from '#test/product'

const { url } = await startProduct({ RECEIVE_TIMEOUT_MS: '500' })

function open(): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // The server cuts the connection while something is being written.
  socket.on('error', () => undefined)
  return socket
}

test('a request whose head does not arrive in time is cut', async () => {
  const socket = open()
  socket.write('POST /api/v1/keys HTTP/1.1\r\nHost: localhost\r\n')
  // Without the limit it would take the 60 s of Node.
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 408 .*request_timeout/s)
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
})

for (const path of ['/api/auth/sign-in/email', '/api/v1/keys']) {
  test(`a body that drips is cut: ${path}`, async () => {
    const socket = open()
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n`
    socket.write(
      `${head}X-Owner-Token: ${ownerTokenOf(url)}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`,
    )
    const drip = setInterval(() => socket.write(' '), 50)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 408 .*request_timeout/s)
    clearInterval(drip)
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
  })
}
