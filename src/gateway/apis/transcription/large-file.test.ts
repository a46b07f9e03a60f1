import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startFakeProvider, startGateway, writeForm, type Part } from './testing.ts'

const fake = await startFakeProvider()
const gateway = await startGateway({ ...fake.baseUrls })
const pieceBytes = 64 * 1024
const mebibyte = 1024 * 1024
after(async () => {
  await gateway.stop()
  await fake.close()
})

/** Sends a file that never exists whole, so that the sender's memory does not hide the gateway's. */
function sendLarge(to: { url: string }, bytes: number, first: Part[], last: Part[]) {
  const mark = Buffer.from('the-content-of-the-file')
  const { body, contentType } = writeForm([...first, ['file', mark, 'long.wav'], ...last])
  const at = body.indexOf(mark)
  const hash = createHash('sha256')
  const progress = { sent: 0, sha256: '' }
  const piece = randomBytes(pieceBytes)
  function* form() {
    yield body.subarray(0, at)
    for (; progress.sent < bytes; progress.sent += pieceBytes) {
      piece.writeUInt32LE(progress.sent)
      hash.update(piece)
      yield Buffer.from(piece)
    }
    progress.sha256 = hash.digest('hex')
    yield body.subarray(at + mark.length)
  }
  const sending = httpRequest(`${to.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb-test', 'content-type': contentType },
  })
  // After an early response the rest has nowhere to go.
  sending.on('error', () => undefined)
  const response = (async () => {
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    return { status: response.statusCode, text: (await response.toArray()).join('') }
  })()
  Readable.from(form(), { objectMode: false }).pipe(sending)
  return { progress, response }
}

async function ask<Message>(child: ChildProcess, question?: string): Promise<Message> {
  if (question !== undefined) child.send(question)
  const [message] = (await once(child, 'message')) as [Message]
  return message
}

test('30 MiB pass in constant memory, whatever comes first', async () => {
  fake.always('openai', { unchecked: true })
  const child = fork(fileURLToPath(new URL('testing-process.ts', import.meta.url)), [
    JSON.stringify(fake.baseUrls),
  ])
  after(() => child.kill())
  const to = await ask<{ url: string }>(child)
  const model: Part = ['model', 'whisper-1']
  const orders: [first: Part[], last: Part[]][] = [
    [[model], []],
    [[], [model]],
  ]
  // Until the engine first has to collect them, dropped pieces pile up: that is its slack, not ours.
  for (const [first, last] of orders) await sendLarge(to, 60 * mebibyte, first, last).response
  for (const [first, last] of orders) {
    await ask(child, 'begin')
    const { response, progress } = sendLarge(to, 30 * mebibyte, first, last)
    const { status, text } = await response
    const { grownBy, leftFiles } = await ask<{ grownBy: number; leftFiles: string[] }>(child, 'end')
    assert.equal(status, 200, text)
    assert.equal(fake.requests.at(-1)?.form?.files[0]?.bytes, 30 * mebibyte)
    assert.equal(fake.requests.at(-1)?.form?.files[0]?.sha256, progress.sha256)
    assert.ok(grownBy < 20 * mebibyte, `grew by ${grownBy / mebibyte} MiB`)
    assert.deepEqual(leftFiles, [])
  }
  child.disconnect()
  await once(child, 'exit')
})

test('a provider that does not read holds the client back, and may respond before the end', async () => {
  const held = Promise.withResolvers<() => void>()
  const provider = createServer((incoming, response) => {
    incoming.once('data', () => incoming.pause())
    held.resolve(() =>
      response
        .writeHead(413, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Too much of it."}}'),
    )
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const other = await startGateway({ OPENAI_BASE_URL: url })
  const { response, progress } = sendLarge(other, 200 * mebibyte, [['model', 'whisper-1']], [])
  const refuse = await held.promise
  let before = -1
  while (progress.sent !== before) {
    before = progress.sent
    await sleep(200)
  }
  assert.ok(progress.sent < 40 * mebibyte, `${progress.sent} bytes were taken`)
  refuse()
  const { status, text } = await response
  assert.equal(status, 413)
  assert.match(text, /Too much of it/)
  assert.equal((await other.settled()).outcome.statusCode, 413)
  await other.stop()
  provider.closeAllConnections()
  provider.close()
})

test('more than 512 MiB is refused as soon as it is known', async () => {
  gateway.records.length = 0
  const sending = httpRequest(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sb-test',
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': 512 * mebibyte + 1,
    },
  })
  sending.on('error', () => undefined)
  sending.flushHeaders()
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 413)
  assert.match((await response.toArray()).join(''), /request_too_large/)
  assert.equal((await gateway.settled()).outcome.statusCode, 413)
  sending.destroy()
})
