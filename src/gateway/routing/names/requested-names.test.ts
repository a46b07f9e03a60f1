import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, key } = server
const messages = [{ role: 'user', content: 'Hello' }]
const chat = (json: object) => server.call('/v1/chat/completions', { key, json: { messages, ...json } })
const sent = () => fake.requests.at(-1)

test("a provider's word before a slash names any of its models, in all three APIs; upstream gets the bare name", async () => {
  for (const [name, provider, bare] of [
    ['openai/gpt-6-sol', 'openai', 'gpt-6-sol'],
    ['anthropic/claude-sonnet-5-5', 'anthropic', 'claude-sonnet-5-5'],
    ['google/gemini-3.8-flash', 'gemini', 'gemini-3.8-flash'],
    ['gemini/gemini-3.8-flash', 'gemini', 'gemini-3.8-flash'],
    // Its Agent API has one model for all of them.
    ['perplexity/sonar-pro', 'perplexity', 'model'],
  ] as const) {
    for (const [path, body] of [
      ['/v1/chat/completions', { messages }],
      ['/v1/responses', { input: 'Hello' }],
      ['/v1/messages', { messages, max_tokens: 100 }],
    ] as const) {
      const { status, json, text } = await server.call(path, { key, json: { model: name, ...body } })
      assert.equal(status, 200, `${name} ${path} ${text}`)
      const request = sent()
      assert.equal(request?.provider, provider, `${name} ${path}`)
      assert.ok(!JSON.stringify(request?.json).includes(name), `${name} is not sent`)
      assert.ok(`${request?.path} ${JSON.stringify(request?.json)}`.includes(bare), `${name} ${path}`)
      const isTranslated = provider === 'anthropic' ? path !== '/v1/messages' : provider === 'gemini'
      if (isTranslated) assert.equal(json.model, name, path)
    }
  }
  // No prefix leads to it, and the provider does not have it.
  const unknown = await chat({ model: 'openai/a-new-model' })
  assert.deepEqual([unknown.status, unknown.json.error.code], [404, 'provider_error'])
  assert.equal(JSON.parse(JSON.stringify(sent()?.json)).model, 'a-new-model')
  await waitFor('the log', async () => server.settled().some(({ model }) => model === 'a-new-model'))
  assert.ok(server.settled().every(({ model }) => !model.startsWith('openai/')))
})

test('a word that is no provider, or without a model behind it, is an unknown model', async () => {
  for (const model of ['nobody/gpt-6-sol', 'openai/', '/gpt-6-sol', 'google/']) {
    const { status, json } = await chat({ model })
    assert.deepEqual([status, json.error.code, json.error.param], [404, 'model_not_found', 'model'], model)
  }
})

test('lists of names stay with the gateway, and the first name is tried first', async () => {
  for (const json of [
    { model: 'gpt-6-sol', fallbacks: ['claude-sonnet-5-5'] },
    { model: 'gpt-6-sol', models: ['claude-sonnet-5-5', 'gpt-6-sol'] },
    { models: ['gpt-6-sol', 'claude-sonnet-5-5'] },
    { model: 'openai/gpt-6-sol', models: [], fallbacks: null },
  ]) {
    const { status, text } = await chat({ ...json, seed: 7 })
    assert.equal(status, 200, text)
    const body = sent()?.json as Record<string, unknown>
    assert.deepEqual([sent()?.provider, body['model'], body['seed']], ['openai', 'gpt-6-sol', 7])
    assert.deepEqual([body['models'], body['fallbacks']], [undefined, undefined])
  }
})

test('for a model of OpenRouter the list is passed on unchanged, and fallbacks are not', async () => {
  const models = ['openai/gpt-6-sol', 'not/known-here']
  const { status, text } = await chat({
    model: exampleModels.openrouter,
    models,
    fallbacks: ['claude-sonnet-5-5'],
  })
  assert.equal(status, 200, text)
  const body = sent()?.json as Record<string, unknown>
  assert.deepEqual([sent()?.provider, body['models'], body['fallbacks']], ['openrouter', models, undefined])
})

test('a bad list is refused by its name, and so is a name in it that nobody has', async () => {
  const eleven = Array.from({ length: 11 }, () => 'gpt-6-sol')
  for (const [field, value, status] of [
    ['models', 'gpt-6-sol', 400],
    ['models', [7], 400],
    ['models', [''], 400],
    ['fallbacks', {}, 400],
    ['fallbacks', [{ model: 'gpt-6-sol' }], 400],
    ['fallbacks', eleven, 400],
    ['models', eleven, 400],
    ['fallbacks', ['no-such-model'], 404],
    ['models', ['no-such-model'], 404],
  ] as const) {
    const { status: got, json } = await chat({ model: 'gpt-6-sol', [field]: value })
    assert.deepEqual([got, json.error.param], [status, field], `${field} ${JSON.stringify(value)}`)
  }
  assert.equal((await chat({})).json.error.param, 'model')
})
