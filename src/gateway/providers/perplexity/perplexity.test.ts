import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { Fault } from '#kernel/errors'
import { startFakeProvider } from '#fake-provider'
import { noUsage } from '../../wire/chunk-writer.ts'
import { assembled, messageOf } from '../../passthrough/testing-chunks.ts'
import { chunksOf, cut, readAll, requestOf, send } from '../../passthrough/testing.ts'
import { perplexity, perplexitySonar } from './index.ts'
import type { Provider } from '../../provider.ts'

const fake = await startFakeProvider()
const base = fake.baseUrls.PERPLEXITY_BASE_URL
after(() => fake.close())
afterEach(() => fake.reset())

const ask = { model: 'sonar', messages: [{ role: 'user', content: 'Zoë 🙂?' }] }
const streamed = { stream: true, stream_options: { include_usage: true } }
const text = 'Echo: Zoë 🙂?[1][2]'
const cited = (page: number, start: number) => ({
  type: 'url_citation',
  url_citation: {
    url: `https://example.com/page-${page}`,
    title: `Example page ${page}`,
    start_index: start,
    end_index: start + 3,
  },
})

function answerOf(json: string): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>
}

test('a response carries its sources as annotations at the markers and as the lists that old clients read', async () => {
  const answer = answerOf((await send(perplexity, base, ask)).text)
  const at = text.indexOf('[1]')
  assert.deepEqual(messageOf(answer), {
    role: 'assistant',
    content: text,
    refusal: null,
    annotations: [cited(1, at), cited(2, at + 3)],
  })
  assert.deepEqual(answer['citations'], ['https://example.com/page-1', 'https://example.com/page-2'])
  assert.deepEqual(
    (answer['search_results'] as { title: string }[]).map(({ title }) => title),
    ['Example page 1', 'Example page 2'],
  )
  assert.equal(answer['model'], 'sonar')
})

test('usage carries the stated cost and the number of searches', async () => {
  fake.script('perplexity', { usage: { input: 200, cached: 40, cacheWrite: 10, output: 30, reasoning: 5 } })
  const { usage, text: body } = await send(perplexity, base, ask)
  // (200 - 40) x 0.25 + 40 x 0.0625 + 30 x 2.5 = 40 + 2.5 + 75 = 117.5 millionths, and 0.0025 for one search.
  assert.deepEqual(usage, {
    ...noUsage,
    uncached: 150,
    cacheRead: 40,
    cacheWrite: 10,
    output: 30,
    reasoning: 5,
    statedCost: '0.0026175',
    units: { search_web: 1 },
  })
  const told = answerOf(body)['usage'] as { prompt_tokens: number; cost: { total_cost: number } }
  assert.deepEqual([told.prompt_tokens, told.cost.total_cost], [200, 0.0026175])
})

test('a stream tells the same as a plain response: text, thoughts, sources, usage', async () => {
  const plain = answerOf((await send(perplexity, base, { ...ask, reasoning_effort: 'low' })).text)
  const stream = await send(perplexity, base, { ...ask, reasoning_effort: 'low', ...streamed })
  const { message, finish } = assembled(stream.text)
  const thought = 'Thinking about it: Zoë 🙂?'
  assert.deepEqual(message, { ...messageOf(plain), reasoning: thought, reasoning_content: thought })
  assert.equal(finish, 'stop')
  const chunks = chunksOf(stream.text)
  assert.deepEqual(chunks.at(-2)?.['citations'], plain['citations'])
  assert.deepEqual(chunks.at(-2)?.['search_results'], plain['search_results'])
  assert.deepEqual(chunks.at(-1)?.['usage'], plain['usage'])
  assert.ok(stream.text.endsWith('data: [DONE]\n\n'))
})

test('without being asked for, usage is metered and not shown', async () => {
  const { text: chunks, usage } = await send(perplexity, base, { ...ask, stream: true })
  assert.ok(usage?.statedCost)
  assert.ok(chunksOf(chunks).every((chunk) => !('usage' in chunk)))
})

test('parallel tool calls and their results go there and back, plain and streamed', async () => {
  const tools = ['a', 'b', 'c'].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: { x: { type: 'string' } } } },
  }))
  const messages = [{ role: 'user', content: 'call the tool in parallel' }]
  for (const how of [{}, streamed]) {
    const first = await send(perplexity, base, { model: 'sonar-pro', messages, tools, ...how })
    const said = 'stream' in how ? assembled(first.text).message : messageOf(answerOf(first.text))
    const calls = said['tool_calls'] as { id: string; function: { name: string; arguments: string } }[]
    assert.deepEqual(
      calls.map((call) => [call.function.name, call.function.arguments]),
      [
        ['a', '{"x":"x"}'],
        ['b', '{"x":"x"}'],
        ['c', '{"x":"x"}'],
      ],
    )
    assert.match(first.text, /"finish_reason":"tool_calls"/)
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' }))
    const second = await send(perplexity, base, {
      model: 'sonar-pro',
      messages: [...messages, said, ...results],
      tools,
    })
    assert.match(second.text, /The tool answered: done \| done \| done/)
  }
})

test('text that only the final event holds is sent once, and text that was streamed is not sent again', () => {
  const response = {
    id: 'resp_1',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello there' }] }],
    usage: null,
  }
  const final = `data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`
  const delta = (said: string) =>
    `data: ${JSON.stringify({ type: 'response.output_text.delta', delta: said })}\n\n`
  for (const before of [
    '',
    delta('Hello'),
    delta('Hello') + delta(' there'),
    delta('Hello there, changed'),
  ]) {
    const reader = perplexity.chat(requestOf({ ...ask, stream: true })).stream()
    const { message } = assembled(readAll(reader, [Buffer.from(before + final)]).text)
    assert.equal(message['content'], before.includes('changed') ? 'Hello there, changed' : 'Hello there')
  }
})

test('a failed answer with status 200, a cut stream and an error event are faults', async () => {
  const replies = [
    { reply: { nativeFinish: 'failed' }, stream: false },
    { reply: { nativeFinish: 'failed' }, stream: true },
    { reply: { endAfterChunks: 4 }, stream: true },
    { reply: { streamError: { afterChunks: 4 } }, stream: true },
    { reply: { body: '<html>' }, stream: false },
  ]
  for (const { reply, stream } of replies) {
    fake.script('perplexity', reply)
    await assert.rejects(send(perplexity, base, { ...ask, stream }), { name: 'Fault', status: 502 })
  }
})

test('length and content filter end as they do in chat completions', async () => {
  for (const finish of ['length', 'content_filter'] as const) {
    fake.always('perplexity', { text: 'x', finish })
    for (const how of [{}, streamed])
      assert.match(
        (await send(perplexity, base, { ...ask, ...how })).text,
        new RegExp(`"finish_reason":"${finish}"`),
      )
  }
})

test('errors in all of Perplexity’s forms keep status and message', async () => {
  const fault = async (body: object, provider: Provider = perplexity): Promise<Fault> =>
    send(provider, base, { ...ask, ...body }).then(
      () => assert.fail('no fault'),
      (thrown: unknown) => thrown as Fault,
    )
  fake.script('perplexity', { error: { status: 429 } })
  const limited = await fault({})
  assert.deepEqual([limited.code, limited.headers['retry-after']], ['rate_limit', '7'])
  fake.script('perplexity', { error: { status: 401 } })
  assert.equal((await fault({})).status, 502)
  assert.equal((await fault({ model: 'sonar-unheard-of' })).status, 400)
  const shape = await fault({ response_format: { type: 'json_object' } }, perplexitySonar)
  assert.deepEqual([shape.status, shape.message.startsWith('Input tag found')], [422, true])
})

test('wherever the network cuts the bytes, the chunks and the usage are the same', async () => {
  const { upstream } = await send(perplexity, base, { ...ask, reasoning_effort: 'low', ...streamed })
  const read = (pieces: Iterable<Uint8Array>) => {
    const outcome = readAll(perplexity.chat(requestOf({ ...ask, ...streamed })).stream(), pieces)
    return { ...outcome, text: outcome.text.replaceAll(/"id":"chatcmpl-[^"]*"|"created":\d+/g, '') }
  }
  const whole = read([upstream])
  for (let seed = 0; seed < 50; seed += 1) assert.deepEqual(read(cut(upstream, seed)), whole)
})

test('the old path is forwarded byte for byte; metadata stays here, usage and cost are read', async () => {
  const plain = await send(perplexitySonar, base, ask)
  assert.equal(plain.text, plain.upstream.toString())
  assert.equal(fake.requests.at(-1)?.body.toString(), JSON.stringify(ask))
  const told = answerOf(plain.text)['usage'] as { prompt_tokens: number; cost: { total_cost: number } }
  assert.deepEqual(
    [plain.usage?.uncached, plain.usage?.statedCost, plain.usage?.units],
    [told.prompt_tokens, String(told.cost.total_cost), { num_search_queries: 1 }],
  )
  const withMetadata = perplexitySonar.chat(requestOf({ ...ask, metadata: { a: 1 } }))
  assert.equal(Buffer.from(withMetadata.body).toString(), JSON.stringify(ask))
})

test('a stream of the old path, which has no end marker, gets one', async () => {
  const body = { ...ask, ...streamed }
  const { text: client, upstream, usage, delivered } = await send(perplexitySonar, base, body)
  assert.equal(client, `${upstream.toString()}data: [DONE]\n\n`)
  assert.ok(usage?.statedCost)
  const unasked = readAll(perplexitySonar.chat(requestOf({ ...ask, stream: true })).stream(), [upstream])
  assert.ok(chunksOf(unasked.text).every((chunk) => !('usage' in chunk)))
  assert.equal(unasked.usage?.statedCost, usage?.statedCost)
  assert.equal(delivered, 'Echo: Zoë 🙂?')
  const whole = readAll(perplexitySonar.chat(requestOf(body)).stream(), [upstream])
  for (let seed = 0; seed < 25; seed += 1) {
    assert.deepEqual(readAll(perplexitySonar.chat(requestOf(body)).stream(), cut(upstream, seed)), whole)
  }
})

test('the models are known though Perplexity lists none', () => {
  assert.equal(perplexity.models, undefined)
  assert.ok(
    perplexity.knownModels.every(({ id }) => perplexity.prefixes.some((prefix) => id.startsWith(prefix))),
  )
})
