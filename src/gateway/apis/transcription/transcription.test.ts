import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import OpenAI, { toFile } from 'openai'
import { startFakeProvider, startGateway, writeForm, type Part } from './testing.ts'

const fake = await startFakeProvider()
const gateway = await startGateway(
  { ...fake.baseUrls, UPSTREAM_PRIVATE: '1' },
  { customUrl: fake.baseUrls.OPENAI_BASE_URL },
)
const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'sb-test', maxRetries: 0 })
const audio = randomBytes(700_000)
const sha256 = createHash('sha256').update(audio).digest('hex')
const file: Part = ['file', audio, 'speech.wav']

after(async () => {
  await gateway.stop()
  await fake.close()
})
afterEach(() => {
  fake.reset()
  gateway.records.length = 0
  gateway.notes.length = 0
})

async function send(parts: Part[]) {
  const { body, contentType } = writeForm(parts)
  const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sb-test', 'content-type': contentType },
    body,
  })
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    body,
    contentType,
  }
}

test('the form reaches the provider byte for byte, whatever comes first', async () => {
  const fields: Part[] = [
    ['model', 'whisper-1'],
    ['language', 'de'],
    ['unknown_field', 'kept'],
  ]
  const orders = [[...fields, file], [file, ...fields], [fields[1], file, fields[0]] as Part[]]
  for (const [index, parts] of orders.entries()) {
    const { status, text, headers, body, contentType } = await send(parts)
    assert.equal(status, 200, text)
    const request = fake.requests.at(-1)
    assert.equal(request?.bodySha256, createHash('sha256').update(body).digest('hex'))
    assert.equal(request?.form?.files[0]?.sha256, sha256)
    assert.equal(request?.headers['content-type'], contentType)
    assert.equal(request?.headers['content-length'], String(body.length))
    assert.equal(request?.headers.authorization, 'Bearer sk-test-0123456789')
    const { entry, outcome } = await gateway.settled(index + 1)
    assert.equal(headers.get('x-request-id'), entry.requestId)
    assert.equal(entry.provider, 'openai')
    assert.equal(entry.model, 'whisper-1')
    assert.equal(entry.providerKeyId, 'provider-key')
    assert.deepEqual(outcome.usage?.units, { audio_seconds: Math.ceil(audio.length / 32_000) })
    assert.deepEqual(gateway.leftFiles(), [])
  }
})

test('the gateway prefix is taken out of the model, before and after the file', async () => {
  for (const parts of [
    [['model', 'team/whisper-1'], file],
    [file, ['model', 'team/whisper-1'], ['language', 'de']],
  ] as Part[][]) {
    const { status, text, body } = await send(parts)
    assert.equal(status, 200, text)
    const request = fake.requests.at(-1)
    assert.equal(request?.model, 'whisper-1')
    assert.equal(request?.bodyBytes, body.length - 'team/'.length)
    assert.equal(request?.headers['content-length'], String(body.length - 'team/'.length))
    assert.equal(request?.form?.files[0]?.sha256, sha256)
    assert.equal(gateway.records.at(-1)?.entry.model, 'team/whisper-1')
    assert.equal(gateway.records.at(-1)?.entry.provider, 'team')
  }
})

test("a provider's word before a slash leads to its models, and the provider gets the bare name", async () => {
  for (const [index, model] of ['openai/whisper-1', 'openai/gpt-4o-transcribe'].entries()) {
    const { status, text } = await send([file, ['model', model]])
    assert.equal(status, 200, text)
    const own = model.slice('openai/'.length)
    assert.equal(fake.requests.at(-1)?.model, own)
    const { entry } = await gateway.settled(index + 1)
    assert.deepEqual([entry.provider, entry.model], ['openai', own])
  }
  const { status } = await send([['model', 'anthropic/claude-sonnet-5-5'], file])
  assert.equal(status, 400, 'it transcribes nothing')
})

test('every format passes as it is, with its content type', async () => {
  const expected: [format: string, type: RegExp, body: RegExp][] = [
    ['json', /^application\/json/, /^\{"text":"Transcript of speech\.wav/],
    ['verbose_json', /^application\/json/, /"segments":\[/],
    ['text', /^text\/plain/, /^Transcript of speech\.wav, 700000 bytes\.\n$/],
    ['srt', /^text\/plain/, /^1\n00:00:00,000 -->/],
    ['vtt', /^text\/plain/, /^WEBVTT\n\n/],
  ]
  for (const [index, [format, type, body]] of expected.entries()) {
    const { status, headers, text } = await send([['model', 'whisper-1'], ['response_format', format], file])
    assert.equal(status, 200, text)
    assert.match(headers.get('content-type') ?? '', type, format)
    assert.match(text, body, format)
    const { outcome } = await gateway.settled(index + 1)
    if (format.endsWith('json')) assert.deepEqual(outcome.usage?.units, { audio_seconds: 22 })
    else assert.match(outcome.estimateFrom?.delivered ?? '', /Transcript of speech/)
  }
})

test('tokens are metered, audio apart', async () => {
  assert.equal((await send([['model', 'gpt-4o-transcribe'], file])).status, 200)
  const { outcome } = await gateway.settled()
  assert.equal(outcome.usage?.uncached, 220)
  assert.equal(outcome.usage?.audioInput, 220)
  assert.ok((outcome.usage?.output ?? 0) > 0)
  assert.deepEqual(outcome.usage?.units, {})
})

test('a stream passes event by event, and its last one is metered', async () => {
  fake.script('openai', { text: 'one two three four', slice: 7 })
  const { status, headers, text } = await send([['model', 'gpt-4o-transcribe'], ['stream', 'true'], file])
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.match(text, /transcript\.text\.delta[^]*transcript\.text\.done[^]*\n\n$/)
  const { entry, outcome } = await gateway.settled()
  assert.equal(headers.get('x-request-id'), entry.requestId)
  assert.equal(entry.isStream, true)
  assert.equal(outcome.usage?.audioInput, 220)
  assert.ok(outcome.ttftMs !== null)
  assert.equal(outcome.statusCode, 200)
})

test('a model that ignores the stream setting responds in its own way', async () => {
  const { headers, text } = await send([['model', 'whisper-1'], ['stream', 'true'], file])
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.match(text, /^\{"text":"Transcript/)
})

test("OpenAI's own client works, plain, as text and streaming", async () => {
  const upload = await toFile(audio, 'speech.wav', { type: 'audio/wav' })
  const plain = await openai.audio.transcriptions.create({ file: upload, model: 'whisper-1', language: 'de' })
  assert.equal(plain.text, 'Transcript of speech.wav, 700000 bytes.')
  assert.deepEqual(fake.requests.at(-1)?.form?.files, [
    { name: 'file', filename: 'speech.wav', contentType: 'audio/wav', bytes: audio.length, sha256 },
  ])
  const verbose = await openai.audio.transcriptions.create({
    file: upload,
    model: 'whisper-1',
    response_format: 'verbose_json',
    timestamp_granularities: ['word'],
  })
  assert.equal(verbose.segments?.length, 1)
  const srt = await openai.audio.transcriptions.create({
    model: 'whisper-1',
    response_format: 'srt',
    file: upload,
  })
  assert.match(srt, /^1\n/)
  const stream = await openai.audio.transcriptions.create({
    file: upload,
    model: 'gpt-4o-transcribe',
    stream: true,
  })
  const types: string[] = []
  for await (const event of stream) types.push(event.type)
  assert.equal(types.at(-1), 'transcript.text.done')
  const missing = openai.audio.transcriptions.create({ file: upload, model: 'nobody-has-this' })
  await assert.rejects(missing, (error: InstanceType<typeof OpenAI.APIError>) => {
    assert.equal(error.status, 404)
    assert.equal(error.code, 'model_not_found')
    assert.equal(error.param, 'model')
    return true
  })
  assert.equal(gateway.records.length, 5)
  assert.ok(gateway.records.every(({ outcomes }) => outcomes.length === 1))
})
