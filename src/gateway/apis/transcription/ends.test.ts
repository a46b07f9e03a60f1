import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { after, afterEach, test } from 'node:test'
import { startFakeProvider, startGateway, writeForm, type Part, type Reply } from './testing.ts'
import { waitFor } from '#test/wait'

const fake = await startFakeProvider()
const gateway = await startGateway({ ...fake.baseUrls }, { timeoutMs: 400 })
const audio = randomBytes(500_000)
const model: Part = ['model', 'gpt-4o-transcribe']
const file: Part = ['file', audio, 'speech.wav']
const stream: Part = ['stream', 'true']

after(async () => {
  await gateway.stop()
  await fake.close()
})
afterEach(() => {
  fake.reset()
  gateway.records.length = 0
  gateway.notes.length = 0
  assert.deepEqual(gateway.leftFiles(), [])
})

async function send(parts: Part[], signal?: AbortSignal) {
  const { body, contentType } = writeForm(parts)
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb-test', 'content-type': contentType },
    body,
    ...(signal && { signal }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('what the provider refuses is reported as for every other request', async () => {
  const replies: [reply: Reply, status: number, code: string, message: RegExp][] = [
    [{ error: { status: 400, message: 'This file is no audio.' } }, 400, 'provider_error', /no audio/],
    [{ error: { status: 401 } }, 502, 'provider_error', /refused the stored provider key/],
    [{ error: { status: 429, retryAfter: 7 } }, 429, 'rate_limit', /./],
    [{ error: { status: 500 } }, 502, 'provider_error', /./],
    [{ error: { status: 503 } }, 503, 'provider_error', /./],
    [{ redirect: 'http://127.0.0.1:1/' }, 502, 'provider_error', /redirect/],
    [{ body: { json: { error: { message: 'Said with 200.' } } } }, 502, 'provider_error', /Said with 200/],
    [{ hang: 'before-headers' }, 504, 'provider_timeout', /did not respond in time/],
    [{ reset: 'before-headers' }, 502, 'provider_error', /connection to the provider failed/],
    [{ hang: 'after-headers' }, 504, 'provider_timeout', /stopped sending/],
  ]
  for (const [index, [reply, status, code, message]] of replies.entries()) {
    fake.script('openai', reply)
    const response = await send([model, file])
    const { error } = JSON.parse(response.text) as { error: { code: string; message: string } }
    assert.equal(response.status, status, response.text)
    assert.equal(error.code, code)
    assert.match(error.message, message)
    if (status === 429) assert.equal(response.headers.get('retry-after'), '7')
    const { outcome } = await gateway.settled(index + 1)
    assert.equal(outcome.statusCode, status)
    assert.equal(outcome.errorMessage, error.message)
    assert.equal(outcome.usage, null)
    // A refused file says nothing against the key.
    assert.equal(gateway.notes[index], status === 400 ? null : error.message)
  }
})

test('an error inside a stream is sent inside it, in our own format', async () => {
  const long = { repeat: { text: 'word ', times: 20 } }
  const replies: [reply: Reply, status: number, message: RegExp][] = [
    [{ ...long, streamError: { afterChunks: 3, status: 500, message: 'It broke.' } }, 502, /It broke/],
    [{ text: 'a b c d e f', endAfterChunks: 3 }, 502, /before the transcript was complete/],
    [{ text: 'a b c d e f', reset: { afterChunks: 3 } }, 502, /connection to the provider failed/],
  ]
  for (const [index, [reply, status, message]] of replies.entries()) {
    fake.script('openai', reply)
    const response = await send([model, stream, file])
    assert.equal(response.status, 200)
    const last =
      response.text
        .trim()
        .split('\n\n')
        .at(-1)
        ?.replace(/^data: /, '') ?? ''
    assert.match((JSON.parse(last) as { error: { message: string } }).error.message, message)
    const { outcome } = await gateway.settled(index + 1)
    assert.equal(outcome.statusCode, status)
    assert.match(outcome.errorMessage ?? '', message)
    assert.notEqual(outcome.estimateFrom?.delivered ?? '', '')
  }
})

test('a client that leaves while it waits cancels the call at once', async () => {
  fake.script('openai', { hang: 'before-headers' })
  const leaving = new AbortController()
  const response = send([model, file], leaving.signal)
  const [received] = await fake.waitForRequests(1)
  const leftAt = Date.now()
  leaving.abort()
  await assert.rejects(response)
  assert.ok(((await received?.waitForAbort()) ?? Infinity) - leftAt < 200)
  const { outcome } = await gateway.settled()
  assert.equal(outcome.statusCode, 499)
})

test('a client that leaves in the middle of a stream is metered for what it got', async () => {
  fake.script('openai', { text: 'word '.repeat(500), chunkEveryMs: 5 })
  const leaving = new AbortController()
  const { body, contentType } = writeForm([model, stream, file])
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb-test', 'content-type': contentType },
    body,
    signal: leaving.signal,
  })
  await response.body?.getReader().read()
  leaving.abort()
  await fake.requests[0]?.waitForAbort()
  const { outcome } = await gateway.settled()
  assert.equal(outcome.statusCode, 499)
  assert.match(outcome.estimateFrom?.delivered ?? '', /^word /)
})

test('a client that leaves while it sends is seen, before the call and during it', async () => {
  for (const [index, parts] of [
    [file, model],
    [model, file],
  ].entries()) {
    const { body, contentType } = writeForm(parts)
    const sending = httpRequest(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sb-test',
        'content-type': contentType,
        'content-length': body.length,
        // Answered when the gateway has read the headers: of what it has not read yet there is no record.
        expect: '100-continue',
      },
    })
    sending.on('error', () => undefined)
    sending.flushHeaders()
    await once(sending, 'continue')
    sending.write(body.subarray(0, 450_000))
    // Of the first file the model is not known yet; the second is on its way to the provider.
    await waitFor('the file to arrive', () =>
      index === 0 ? (sending.socket?.bytesWritten ?? 0) > 450_000 : fake.requests.length === 1,
    )
    sending.destroy()
    const { outcome } = await gateway.settled(index + 1)
    assert.equal(outcome.statusCode, 499)
  }
  assert.equal(fake.requests.length, 1)
  await fake.requests[0]?.waitForAbort()
})

test('no key shows in a response or a log', () => {
  assert.doesNotMatch(gateway.logged(), /sk-test-0123456789/)
})
