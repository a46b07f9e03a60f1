import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'

import { startFakeProvider } from './index.ts'
import { objectsOf } from './json.ts'
import { at, eventsOf, post } from './client.ts'

const fake = await startFakeProvider()
after(() => fake.close())
beforeEach(() => fake.reset())

const user = (text: string) => ({ role: 'user', parts: [{ text }] })
const tools = [
  {
    functionDeclarations: ['get_weather', 'get_time'].map((name) => ({
      name,
      parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
    })),
  },
]

function send(body: object, model = 'gemini-3.8-flash', method = 'generateContent', query = 'key=AQ.good') {
  return post(`${fake.baseUrls.GEMINI_BASE_URL}/v1beta/models/${model}:${method}?${query}`, {
    contents: [user('hello')],
    ...body,
  })
}

void test('content is generated, with thoughts apart from candidates in the usage', async () => {
  const thinkingConfig = { thinkingLevel: 'low', includeThoughts: true }
  const answer: unknown = await (await send({ generationConfig: { thinkingConfig } })).json()
  const parts = objectsOf(at(answer, 'candidates', 0, 'content', 'parts'))
  assert.deepEqual(parts[0], { text: 'Thinking about it: hello', thought: true })
  assert.equal(parts[1]?.['text'], 'Echo: hello')
  const usage = at(answer, 'usageMetadata')
  const count = (name: string) => Number(at(usage, name))
  const sum = count('promptTokenCount') + count('candidatesTokenCount') + count('thoughtsTokenCount')
  assert.equal(sum, count('totalTokenCount'))
})

void test('a stream ends its lines as Google does and its last chunk has the reason', async () => {
  const raw = await (await send({}, undefined, 'streamGenerateContent', 'alt=sse&key=good')).text()
  assert.ok(raw.includes('}\r\n\r\n'))
  const events = await eventsOf(new Response(raw))
  assert.ok(
    events.slice(0, -1).every((event) => at(event.data, 'candidates', 0, 'finishReason') === undefined),
  )
  assert.equal(at(events.at(-1)?.data, 'candidates', 0, 'finishReason'), 'STOP')
  assert.ok(at(events.at(-1)?.data, 'candidates', 0, 'content', 'parts', 0, 'thoughtSignature'))
  const array: unknown = await (await send({}, undefined, 'streamGenerateContent')).json()
  assert.ok(Array.isArray(array))
})

void test('parallel calls bear one signature, and must come back with it', async () => {
  const question = user('call the tool in parallel')
  const first: unknown = await (await send({ tools, contents: [question] })).json()
  const calls = objectsOf(at(first, 'candidates', 0, 'content', 'parts'))
  assert.equal(at(first, 'candidates', 0, 'finishReason'), 'STOP')
  assert.equal(calls.length, 2)
  assert.ok(typeof calls[0]?.['thoughtSignature'] === 'string')
  assert.equal(calls[1]?.['thoughtSignature'], undefined)
  const responses = ['get_weather', 'get_time'].map((name) => ({
    functionResponse: { name, response: { output: `${name} done` } },
  }))
  const round = async (parts: unknown[], results: unknown[] = responses) => {
    const contents = [question, { role: 'model', parts }, { role: 'user', parts: results }]
    const answer: unknown = await (await send({ tools, contents })).json()
    return String(
      at(answer, 'error', 'message') ?? at(answer, 'candidates', 0, 'content', 'parts', 0, 'text'),
    )
  }
  const signed = (signature?: string) =>
    calls.map((call, index) => ({
      functionCall: call['functionCall'],
      ...(index === 0 && signature ? { thoughtSignature: signature } : {}),
    }))
  assert.equal(await round(calls), 'The tool answered: get_weather done | get_time done')
  assert.match(await round(signed()), /missing a thought_signature/)
  assert.match(await round(signed('Zm9yZ2Vk')), /Corrupted thought signature/)
  assert.match(await round(signed('skip_thought_signature_validator')), /^The tool answered/)
  assert.match(await round(calls, responses.slice(1)), /number of function response parts is equal/)
})

void test('what Google refuses is refused in its words', async () => {
  const refused = async (body: object, message: RegExp, model?: string, status = 400) => {
    const response = await send(body, model)
    const answer: unknown = await response.json()
    assert.equal(response.status, status, JSON.stringify(answer))
    assert.equal(at(answer, 'error', 'code'), status)
    assert.match(String(at(answer, 'error', 'message')), message)
  }
  const config = (generationConfig: object) => ({ generationConfig })
  await refused({ labels: {} }, /Unknown name "labels": Cannot find field/)
  await refused(config({ maxTokens: 1 }), /Unknown name "maxTokens" at 'generation_config'/)
  await refused({ contents: [] }, /contents is not specified/)
  await refused({ contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, /valid role: user, model/)
  await refused({ contents: [{ role: 'user', parts: [{}] }] }, /required oneof field/)
  await refused(config({ presencePenalty: 1 }), /Penalty is not enabled/)
  await refused(config({ thinkingConfig: { thinkingLevel: 'minimal' } }), /MINIMAL is not supported/)
  await refused(
    config({ thinkingConfig: { thinkingBudget: 100 } }),
    /budget is not supported/,
    'gemini-4-argon',
  )
  await refused(config({ thinkingConfig: { thinkingBudget: 0 } }), /Budget 0 is invalid/, 'gemini-2.5-pro')
  await refused(config({ responseJsonSchema: {} }), /application\/json/)
  const schema = { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } }
  await refused(config({ responseMimeType: 'application/json', responseJsonSchema: schema }), /'pattern'/)
  const parameters = { type: 'object', additionalProperties: false }
  await refused(
    { tools: [{ functionDeclarations: [{ name: 'x', parameters }] }] },
    /Unknown name "additionalProperties"/,
  )
  await refused({ systemInstruction: { parts: [{ text: 'x' }] } }, /Developer instruction/, 'gemma-3-27b-it')
  await refused({}, /models\/gemini-nope is not found/, 'gemini-nope', 404)
})

void test('the key is taken from the header or the query, never from both', async () => {
  const path = `${fake.baseUrls.GEMINI_BASE_URL}/v1beta/models`
  const list = async (query: string, headers: Record<string, string>) => {
    const response = await fetch(`${path}?${query}`, { headers })
    const answer: unknown = await response.json()
    return { status: response.status, answer }
  }
  assert.equal((await list('', { 'x-goog-api-key': 'good' })).status, 200)
  assert.equal((await list('key=good', { 'x-goog-api-key': 'good' })).status, 400)
  assert.equal((await list('', {})).status, 403)
  const bad = await list('key=bad', {})
  assert.equal(at(bad.answer, 'error', 'details', 0, 'reason'), 'API_KEY_INVALID')
  const first = await list('key=good&pageSize=4', {})
  assert.equal(objectsOf(at(first.answer, 'models')).length, 4)
  const second = await list(
    `key=good&pageSize=100&pageToken=${String(at(first.answer, 'nextPageToken'))}`,
    {},
  )
  assert.equal(at(second.answer, 'nextPageToken'), undefined)
})

void test('a blocked prompt has no candidates, a long decode has a token to continue with', async () => {
  fake.script('gemini', { blockReason: 'SAFETY' })
  const blocked: unknown = await (await send({})).json()
  assert.equal(at(blocked, 'promptFeedback', 'blockReason'), 'SAFETY')
  assert.equal(at(blocked, 'candidates'), undefined)
  fake.script('gemini', { text: 'the first half', nativeFinish: 'CONTINUATION' })
  const half: unknown = await (await send({}, 'gemini-4-argon')).json()
  const continuationToken = at(half, 'candidates', 0, 'continuationToken')
  assert.equal((await send({ continuationToken }, 'gemini-4-argon')).status, 200)
  assert.equal((await send({ continuationToken: 'made up' }, 'gemini-4-argon')).status, 400)
})
