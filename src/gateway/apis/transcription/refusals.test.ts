import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { startFakeProvider, startGateway, writeForm, type Part } from './testing.ts'

const fake = await startFakeProvider()
const gateway = await startGateway({ ...fake.baseUrls })
const audio = randomBytes(600_000)
const model: Part = ['model', 'gpt-4o-transcribe']
const file: Part = ['file', audio, 'speech.wav']

after(async () => {
  await gateway.stop()
  await fake.close()
})
afterEach(() => {
  fake.reset()
  gateway.records.length = 0
})

interface Refusal {
  error: { message: string; code: string; param: string | null }
}

async function post(body: string | Buffer<ArrayBuffer> | null, headers: { [name: string]: string }) {
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb-test', ...headers },
    body,
  })
  const { error } = (await response.json()) as Refusal
  const { outcome } = await gateway.settled()
  gateway.records.length = 0
  assert.equal(outcome.statusCode, response.status)
  assert.equal(outcome.errorMessage, error.message)
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  assert.deepEqual(gateway.leftFiles(), [])
  return { status: response.status, ...error }
}

const sendForm = (parts: Part[], change = (body: Buffer<ArrayBuffer>) => body) => {
  const { body, contentType } = writeForm(parts)
  return post(change(body), { 'content-type': contentType })
}

test('what is not a form is refused, and metered', async () => {
  for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=x']) {
    const { status, code, message } = await post('{"model":"whisper-1"}', { 'content-type': type })
    assert.equal(status, 400)
    assert.equal(code, 'invalid_request')
    assert.match(message, /Send the audio as multipart\/form-data/)
  }
  assert.match((await post(null, {})).message, /multipart\/form-data/)
  assert.match((await post('x', { 'content-type': 'multipart/form-data' })).message, /name its boundary/)
  const odd = await post('x', { 'content-type': 'multipart/form-data; boundary="a{b}"' })
  assert.match(odd.message, /boundary .* not valid/)
})

test('what is wrong with a field is named, before the file and after it', async () => {
  const wrong: [parts: Part[], param: string, message: RegExp][] = [
    [[], 'file', /^file is required/],
    [[file], 'model', /^model is required/],
    [[model], 'file', /^file is required/],
    [[['model', ''], file], 'model', /must not be empty/],
    [[['model', 'whisper-1'.padEnd(301, 'x')], file], 'model', /at most 300 characters/],
    [[model, ['file', audio, '']], 'file', /a file with a name/],
    [[model, ['file', 'not a file']], 'file', /a file with a name/],
    [[['model', Buffer.from('whisper-1'), 'model.txt'], file], 'model', /must be a string, not a file/],
    [[model, ['response_format', 'xml'], file], 'response_format', /one of json, text, srt/],
    [[model, file, ['response_format', 'xml']], 'response_format', /one of json, text, srt/],
    [[model, ['stream', 'perhaps'], file], 'stream', /true or false/],
    [
      [model, ['stream', 'true'], ['response_format', 'srt'], file],
      'stream',
      /^stream cannot be true with response_format srt/,
    ],
    [
      [file, ['response_format', 'vtt'], ['stream', 'true'], model],
      'stream',
      /^stream cannot be true with response_format vtt/,
    ],
    [
      [model, file, ['response_format', 'verbose_json'], ['stream', 'true']],
      'stream',
      /^stream cannot be true/,
    ],
    [[model, model, file], 'model', /only once/],
    [[model, file, ['model', 'whisper-1']], 'model', /only once/],
    [[model, file, file], 'file', /only once/],
    [[model, ['prompt', 'x'.repeat(65_537)], file], 'prompt', /larger than 64 KiB/],
    [[model, file, ['prompt', 'x'.repeat(65_537)]], 'prompt', /larger than 64 KiB/],
    [[['model', 'claude-sonnet-5-5'], file], 'model', /Anthropic does not transcribe audio/],
    [[file, ['model', 'sonar']], 'model', /Perplexity does not transcribe audio/],
  ]
  for (const [parts, param, message] of wrong) {
    const refusal = await sendForm(parts)
    const what = JSON.stringify({ parts: parts.map(([name]) => name), refusal })
    assert.equal(refusal.status, 400, what)
    assert.equal(refusal.code, 'invalid_request', what)
    assert.equal(refusal.param, param, what)
    assert.match(refusal.message, message)
  }
  assert.ok(fake.requests.every(({ received }) => !received))
})

test('a form of more than a hundred parts is refused', async () => {
  const many = Array.from({ length: 100 }, (): Part => ['include[]', 'logprobs'])
  const refusal = await sendForm([model, file, ...many])
  assert.equal(refusal.status, 400)
  assert.match(refusal.message, /more than 100 parts/)
})

test('a form that is cut off is refused, and the provider never gets it whole', async () => {
  for (const parts of [
    [model, file],
    [file, model],
  ]) {
    for (const left of [10, 300, 400_000]) {
      const refusal = await sendForm(parts, (body) => body.subarray(0, body.length - left))
      assert.equal(refusal.status, 400)
      assert.match(refusal.message, /cut off/)
    }
  }
  assert.ok(fake.requests.every(({ received }) => !received))
})

test('a model that nobody has is refused with 404', async () => {
  const refusal = await sendForm([file, ['model', 'nobody-has-this']])
  assert.equal(refusal.status, 404)
  assert.equal(refusal.code, 'model_not_found')
})

test('without a key nothing is read', async () => {
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', body: audio })
  assert.equal(response.status, 401)
  assert.equal(gateway.records.length, 0)
})

test('an upload that must wait for its model and finds no space is refused, with when to try again', async () => {
  const small = await startGateway({ ...fake.baseUrls }, { maxSpoolBytes: 1_000_000 })
  after(() => small.stop())
  const send = (parts: Part[]) => {
    const { body, contentType } = writeForm(parts)
    return fetch(`${small.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sb-test', 'content-type': contentType },
      body,
    })
  }
  const refused = await send([file, model])
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '5')
  const { error } = (await refused.json()) as Refusal
  assert.deepEqual([error.code, error.param], ['rate_limit', null])
  assert.equal((await small.settled()).outcome.statusCode, 429)
  assert.equal((await send([model, file])).status, 200)
})
