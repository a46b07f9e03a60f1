import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test as run } from 'node:test'
import OpenAI from 'openai'
import { ownerTokenOf } from '#test/owner'
import { startProduct } from '#test/product'

const { url, key, call } = await startProduct({ MAX_BODY_BYTES: '1048576' })
const { port } = new URL(url)

/** A refusal that does not come would otherwise be waited for without end. */
const test = (name: string, body: () => Promise<void>): void => void run(name, { timeout: 60_000 }, body)

/** Sends the head of a request that announces a body, and returns what comes back before any of it is sent. */
async function refusalOf(head: string, bytes = 1_000_000): Promise<string> {
  const socket = open()
  socket.write(
    `${head}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString()
}

function open(): Socket {
  const socket = connect(Number(port), '127.0.0.1')
  // A server may cut the connection while something is being written.
  socket.on('error', () => undefined)
  return socket
}

const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

test('who is refused is refused before the body is read', async () => {
  assert.match(await refusalOf('POST /api/v1/keys HTTP/1.1'), /^HTTP\/1\.1 401 /)
  assert.match(await refusalOf('POST /v1/chat/completions HTTP/1.1'), /^HTTP\/1\.1 401 /)
  assert.match(await refusalOf('POST /v1/audio/transcriptions HTTP/1.1'), /^HTTP\/1\.1 401 /)
  assert.match(
    await refusalOf('POST /v1/chat/completions HTTP/1.1\r\nAuthorization: Bearer sb-unknown-key-0123456789'),
    /^HTTP\/1\.1 401 /,
  )
  assert.match(await refusalOf('POST /nothing-here HTTP/1.1'), /^HTTP\/1\.1 404 /)
  assert.match(await refusalOf('PUT /api/v1/keys HTTP/1.1'), /^HTTP\/1\.1 405 /)
})

test('without identity a body may have 16 KiB', async () => {
  for (const path of ['/api/auth/sign-in/email', '/api/auth/invitation/accept', '/api/auth/sign-out']) {
    const head = `POST ${path} HTTP/1.1\r\nOrigin: http://localhost`
    assert.match(await refusalOf(head, 16 * 1024 + 1), /^HTTP\/1\.1 413 .*16 KiB/s, path)
  }
  const password = 'x'.repeat(15 * 1024)
  const { status } = await call('/api/auth/sign-in/email', { json: { email: 'a@example.com', password } })
  assert.ok(status === 400 || status === 401, String(status))
})

test('a client that sends its whole body before it reads gets its 413', async () => {
  const socket = open()
  const head = `POST /api/v1/keys HTTP/1.1\r\nHost: localhost\r\nX-Owner-Token: ${ownerTokenOf(url)}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`)
  await once(socket, 'readable')
  for (let sent = 0; sent < 1_048_577; sent += 65_537)
    await new Promise((resolve, reject) =>
      socket.write(Buffer.alloc(Math.min(65_537, 1_048_577 - sent), 'x'), (error) =>
        error ? reject(error) : resolve(undefined),
      ),
    )
  assert.match(String(socket.read()), /^HTTP\/1\.1 413 .*request_too_large/s)
  // Everything was read, so the connection can be used again.
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await once(socket, 'readable')
  assert.match(String(socket.read()), /^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('a 413 reaches the OpenAI client every time', async () => {
  const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'x'.repeat(8 * 1_048_576) }]
  for (let round = 0; round < 10; round += 1)
    await assert.rejects(openai.chat.completions.create({ model: 'gpt-6-sol', messages }), { status: 413 })
})

test('what is left of a refused body is read up to a limit, then the connection is cut', async () => {
  const socket = open()
  socket.write('POST /nothing-here HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
  await once(socket, 'data')
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', send)
  send()
  await closed(socket)
})
