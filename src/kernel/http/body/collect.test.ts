import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const { url, key, call, fake } = await startGateway({ MAX_BODY_BYTES: '2097152' })
const { port, host } = new URL(url)

/** Sends the beginning of a body and returns what comes back before any more of it is sent. */
async function beginningOf(headers: string, body: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`,
  )
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(20_000) })) as [Buffer]
  socket.destroy()
  return answer.toString()
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

test('large JSON that is nested too deeply is refused before the rest has arrived', async () => {
  const deep = '['.repeat(300)
  const padding = ' '.repeat(140_000)
  const refusal = await beginningOf('Content-Length: 2000000', deep)
  assert.match(refusal, /^HTTP\/1\.1 400 .*128 levels/s)
  // A connection that were closed now would be reset by what still arrives, and the response lost.
  assert.match(refusal, /connection: keep-alive/i)
  assert.match(
    await beginningOf('Transfer-Encoding: chunked', chunk(padding) + chunk(deep)),
    /^HTTP\/1\.1 400 .*128 levels/s,
  )
})

test('a body of unknown length is refused where it becomes too large, and the server keeps running', async () => {
  const pieces = chunk(`"${'x'.repeat(524_288)}`).repeat(5)
  assert.match(await beginningOf('Transfer-Encoding: chunked', pieces), /^HTTP\/1\.1 413 .*2 MiB/s)
  // Refused for its depth first, then too large, with nobody left to hear of it.
  const both = chunk(`${' '.repeat(140_000)}${'['.repeat(300)}`) + pieces
  assert.match(await beginningOf('Transfer-Encoding: chunked', both), /^HTTP\/1\.1 400 /)
  assert.equal((await call('/livez')).status, 200)
})

test('a large body reaches every kind of provider unchanged, in one piece or in many', async () => {
  const content = 'line "one"\n\t\\ é 日 😀 '.repeat(20_000)
  for (const model of Object.values(exampleModels)) {
    const before = fake.requests.length
    const { status } = await call('/v1/chat/completions', {
      key,
      json: { model, messages: [{ role: 'user', content }] },
    })
    assert.equal(status, 200, model)
    const sent = JSON.stringify(fake.requests[before]?.json)
    assert.ok(sent.includes(JSON.stringify(content).slice(1, -1)), model)
  }
})
