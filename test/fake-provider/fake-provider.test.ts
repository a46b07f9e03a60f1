import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'

import OpenAI, { toFile } from 'openai'
import type { APIError } from 'openai'

import { startFakeProvider } from './index.ts'
import { collect } from './client.ts'

const fake = await startFakeProvider()
after(() => fake.close())
beforeEach(() => fake.reset())

const connect = (apiKey = 'sk-good') =>
  new OpenAI({ apiKey, baseURL: fake.baseUrls.OPENAI_BASE_URL, maxRetries: 0 })
const openai = connect()

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const clock = {
  type: 'function' as const,
  function: { name: 'get_time', parameters: { type: 'object', properties: {} } },
}

void test('the OpenAI client gets an echo with honest usage', async () => {
  const completion = await openai.chat.completions.create({
    model: 'gpt-6-luna',
    messages: [{ role: 'user', content: 'Grüße an 東京 🚂' }],
  })
  assert.equal(completion.choices[0]?.message.content, 'Echo: Grüße an 東京 🚂')
  assert.equal(completion.choices[0]?.finish_reason, 'stop')
  const { usage } = completion
  assert.equal(usage?.total_tokens, (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
  assert.ok((usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0)
  assert.equal(fake.requests[0]?.endpoint, 'chat')
  assert.equal(fake.requests[0]?.path, '/chat/completions')
  assert.equal(fake.requests[0]?.model, 'gpt-6-luna')
})

void test('the OpenAI client reads the stream, usage chunk included', async () => {
  const stream = await openai.chat.completions.create({
    model: 'gpt-6-luna',
    messages: [{ role: 'user', content: 'one two three' }],
    stream: true,
    stream_options: { include_usage: true },
  })
  const chunks = await collect(stream)
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), 'Echo: one two three')
  assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '', refusal: null })
  assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop')
  assert.deepEqual(chunks.at(-1)?.choices, [])
  assert.ok(chunks.at(-1)?.usage)
  assert.ok(chunks.slice(0, -1).every((chunk) => chunk.usage === null))
})

void test('tools are called when asked for, in parallel when asked for, and their results quoted', async () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'call the tools in parallel, call the tool' },
  ]
  const request = { model: 'gpt-6-luna', reasoning_effort: 'none' as const, tools: [weather, clock] }
  const first = await openai.chat.completions.create({ ...request, messages })
  const message = first.choices[0]?.message
  assert.equal(first.choices[0]?.finish_reason, 'tool_calls')
  assert.equal(message?.content, null)
  assert.equal(message?.tool_calls?.length, 2)
  for (const call of message?.tool_calls ?? []) {
    assert.equal(call.type, 'function')
    messages.push({ role: 'tool', tool_call_id: call.id, content: `result of ${call.id}` })
  }
  messages.splice(1, 0, { role: 'assistant', content: null, tool_calls: message?.tool_calls ?? [] })
  const second = await openai.chat.completions.create({ ...request, messages })
  assert.match(
    second.choices[0]?.message.content ?? '',
    /^The tool answered: result of call_.* \| result of call_/,
  )

  const streamed = await openai.chat.completions.create({
    ...request,
    messages: messages.slice(0, 1),
    stream: true,
  })
  const calls = (await collect(streamed)).flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
  const argumentsOf = (index: number) =>
    calls
      .filter((call) => call.index === index)
      .map((call) => call.function?.arguments)
      .join('')
  assert.deepEqual(JSON.parse(argumentsOf(0)), { city: 'city' })
  assert.deepEqual(JSON.parse(argumentsOf(1)), {})
  assert.equal(calls.filter((call) => call.id !== undefined).length, 2)
})

void test('a JSON schema is satisfied, a stop word and a token limit are honoured', async () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
    required: ['name', 'tags'],
    additionalProperties: false,
  }
  const messages = [{ role: 'user' as const, content: 'alpha beta gamma delta' }]
  const structured = await openai.chat.completions.create({
    model: 'gpt-6-luna',
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'thing', strict: true, schema } },
  })
  assert.deepEqual(JSON.parse(structured.choices[0]?.message.content ?? ''), { name: 'name', tags: ['a'] })
  const stopped = await openai.chat.completions.create({ model: 'gpt-4.1', messages, stop: 'gamma' })
  assert.equal(stopped.choices[0]?.message.content, 'Echo: alpha beta ')
  const cut = await openai.chat.completions.create({ model: 'gpt-4.1', messages, max_tokens: 2 })
  assert.equal(cut.choices[0]?.message.content, 'Echo: al')
  assert.equal(cut.choices[0]?.finish_reason, 'length')
})

void test('the Responses API answers plain and streamed, with reasoning that can be sent back', async () => {
  const request = {
    model: 'gpt-6-astra',
    store: false,
    include: ['reasoning.encrypted_content' as const],
    reasoning: { effort: 'low' as const, summary: 'auto' as const },
    tools: [{ type: 'function' as const, strict: false, ...weather.function }],
  }
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'please call the tool' }]
  const first = await openai.responses.create({ ...request, input })
  assert.deepEqual(
    first.output.map((item) => item.type),
    ['reasoning', 'function_call'],
  )
  const call = first.output.find((item) => item.type === 'function_call')
  input.push(...(first.output as OpenAI.Responses.ResponseInput), {
    type: 'function_call_output',
    call_id: call?.call_id ?? '',
    output: 'sunny',
  })
  const second = await openai.responses.create({ ...request, input })
  assert.equal(second.output_text, 'The tool answered: sunny')

  const events = await collect(await openai.responses.create({ ...request, input, stream: true }))
  const types = events.map((event) => event.type)
  assert.deepEqual(types.slice(0, 3), [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
  ])
  assert.equal(types.at(-1), 'response.completed')
  assert.ok(types.includes('response.reasoning_summary_text.delta'))
  assert.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, index) => index),
  )
  input.splice(1, 1, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'forged' })
  await assert.rejects(openai.responses.create({ ...request, input }), /could not be verified/)
})

void test('what OpenAI refuses is refused in its words', async () => {
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const refused = async (body: object, expected: Partial<APIError>) => {
    const request = { model: 'gpt-6-luna', messages, ...body }
    await assert.rejects(openai.chat.completions.create(request), (error: APIError) => {
      assert.equal(error.status, expected.status ?? 400, error.message)
      assert.equal(error.param ?? null, expected.param ?? null, error.message)
      assert.equal(error.code ?? null, expected.code ?? null, error.message)
      return true
    })
    assert.ok(fake.requests.at(-1)?.refusal)
  }
  await refused({ max_tokens: 5 }, { param: 'max_tokens', code: 'unsupported_parameter' })
  await refused({ temperature: 0.2 }, { param: 'temperature', code: 'unsupported_value' })
  await refused({ stop: 'x' }, { param: 'stop', code: 'unsupported_parameter' })
  await refused({ tools: [weather] }, { param: 'reasoning_effort' })
  await refused(
    { model: 'gpt-6-astra', reasoning_effort: 'none' },
    { param: 'reasoning_effort', code: 'unsupported_value' },
  )
  await refused({ model: 'gpt-4' }, { status: 404, code: 'model_not_found' })
  await refused({ model: 'gpt-nope' }, { status: 404, code: 'model_not_found' })
  await refused({ model: 'gpt-5.5-pro' }, { status: 404, param: 'model' })
  await refused({ surprise: 1 }, {})
  await refused({ metadata: { nested: { a: 1 } } }, { param: 'metadata.nested', code: 'invalid_type' })
  await refused({ messages: [] }, { param: 'messages', code: 'empty_array' })
  await refused(
    { messages: [...messages, { role: 'tool', tool_call_id: 'x', content: '' }] },
    { param: 'messages.[1].role' },
  )
  await assert.rejects(connect('sk-bad-0123456789').models.list(), (error: APIError) => {
    assert.equal(error.code, 'invalid_api_key')
    return error.status === 401 && !error.message.includes('sk-bad-0123456789')
  })
})

void test('a caller that goes away is noticed', async () => {
  fake.script('openai', { repeat: { text: 'tick ', times: 1000 }, chunkEveryMs: 5 })
  const stream = await openai.chat.completions.create({
    model: 'gpt-6-luna',
    messages: [{ role: 'user', content: 'count' }],
    stream: true,
  })
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
  const request = fake.requests[0]
  assert.ok(request !== undefined)
  assert.ok((await request.waitForAbort()) >= request.receivedAt)
  assert.equal(request.aborted, true)
})

void test('audio is counted and hashed on its way, and answered in every format', async () => {
  const audio = Buffer.alloc(3_000_000, 'sound\r\n--not-a-boundary\r\n')
  const sha256 = createHash('sha256').update(audio).digest('hex')
  const send = async (options: object) =>
    openai.audio.transcriptions.create({
      file: await toFile(audio, 'speech.wav', { type: 'audio/wav' }),
      model: 'whisper-1',
      ...options,
    })
  const sendForText = async (format: string) => (await send({ response_format: format })) as unknown as string
  const plain = await send({ language: 'de' })
  assert.equal(plain.text, 'Transcript of speech.wav, 3000000 bytes.')
  const [request] = fake.requests
  assert.deepEqual(request?.form?.files, [
    { name: 'file', filename: 'speech.wav', contentType: 'audio/wav', bytes: 3_000_000, sha256 },
  ])
  assert.equal(request?.form?.fields.find((field) => field.name === 'language')?.value, 'de')
  assert.equal(request?.body.length, 0)
  assert.match(await sendForText('srt'), /^1\n00:00:00,000 --> 00:01:34,000\n/)
  assert.match(await sendForText('vtt'), /^WEBVTT\n\n/)
  assert.match(await sendForText('text'), /^Transcript/)
  assert.ok('segments' in (await send({ response_format: 'verbose_json' })))
  await assert.rejects(send({ model: 'gpt-4o-transcribe', response_format: 'srt' }), /not compatible/)
  const stream = await openai.audio.transcriptions.create({
    file: await toFile(audio, 'speech.mp3'),
    model: 'gpt-4o-transcribe',
    stream: true,
  })
  const events = await collect(stream)
  assert.equal(events.at(-1)?.type, 'transcript.text.done')
})

void test('the model list is served and left alone by scripts meant for completions', async () => {
  fake.script('openai', { error: { status: 500 } })
  const models = await collect(await openai.models.list())
  assert.ok(models.some((model) => model.id === 'gpt-6-astra'))
  assert.equal(fake.pendingReplies, 1)
})
