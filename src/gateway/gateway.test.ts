import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, keyOf, startGateway, type ProviderId } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, openai } = server
const providers = Object.keys(exampleModels) as ProviderId[]
const hello = [{ role: 'user' as const, content: 'Hello from the gateway' }]

/** All that was settled for the request: an estimate of another one may come at any time between. */
async function settledFor(requestId: string | null) {
  const found = () => server.settled().filter((each) => each.requestId === requestId)
  await waitFor('the record', () => found().length > 0)
  return found()
}

for (const provider of providers) {
  const model = exampleModels[provider]

  test(`${provider}: a plain response is returned in OpenAI's format, metered once, with the stored key`, async () => {
    const { data, response } = await openai.chat.completions.create({ model, messages: hello }).withResponse()
    assert.equal(data.object, 'chat.completion')
    assert.match(data.choices[0]?.message.content ?? '', /Hello from the gateway/)
    assert.equal(data.choices[0]?.finish_reason, 'stop')
    assert.equal(
      data.usage?.total_tokens,
      (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
    )
    const [settled, ...more] = await settledFor(response.headers.get('x-request-id'))
    assert.deepEqual(more, [])
    assert.equal(settled?.provider, provider)
    assert.equal(settled?.statusCode, 200)
    assert.equal(settled?.usage?.['output'], data.usage?.completion_tokens)
    const request = fake.requests.at(-1)
    const sent = JSON.stringify([request?.headers, String(request?.query)])
    assert.ok(sent.includes(keyOf(provider)), 'the stored key went upstream')
    assert.ok(!sent.includes(server.key), "the caller's key did not")
  })

  test(`${provider}: a stream comes piece by piece, ends with [DONE], and shows usage only when asked`, async () => {
    const chunks = []
    for await (const chunk of await openai.chat.completions.create({ model, messages: hello, stream: true }))
      chunks.push(chunk)
    assert.match(
      chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''),
      /Hello from the gateway/,
    )
    const quiet = chunks.every(
      (chunk) => chunk.usage === undefined || chunk.usage === null || chunk.choices.length > 0,
    )
    assert.ok(quiet, 'no usage chunk without include_usage')
    const raw = await server.call('/v1/chat/completions', {
      key: server.key,
      json: { model, messages: hello, stream: true, stream_options: { include_usage: true } },
    })
    assert.match(raw.headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.match(raw.text, /"usage":\{"prompt_tokens":\d+/)
    assert.ok(raw.text.endsWith('data: [DONE]\n\n'))
    const [settled] = await settledFor(raw.headers.get('x-request-id'))
    assert.ok((settled?.usage?.['output'] ?? 0) > 0, 'metered with and without')
    assert.ok(settled?.ttftMs !== null)
  })

  for (const [status, expected] of [
    [429, 429],
    [401, 502],
    [403, 502],
    [400, 400],
    [500, 502],
    [503, 503],
  ] as const) {
    test(`${provider}: an upstream ${status} reaches the caller as ${expected}, never with the key`, async () => {
      fake.script({ provider }, {
        error: { status, message: 'the provider says no', retryAfter: 7 },
      } as never)
      const response = await server.call('/v1/chat/completions', {
        key: server.key,
        json: { model, messages: hello },
      })
      // OpenRouter's 403 is moderation and concerns the caller's words, not the key.
      assert.equal(
        response.status,
        provider === 'openrouter' && status === 403 ? 403 : expected,
        response.text,
      )
      assert.equal(response.json.error.code, status === 429 ? 'rate_limit' : 'provider_error')
      assert.ok(!response.text.includes('planted'))
      const [settled] = await settledFor(response.headers.get('x-request-id'))
      assert.equal(settled?.statusCode, response.status)
      assert.equal(settled?.errorMessage, response.json.error.message)
    })
  }

  test(`${provider}: a client that leaves cancels the upstream call at once and is metered as 499`, async () => {
    fake.script({ provider }, { repeat: { text: 'word ', times: 10_000 }, chunkEveryMs: 5 } as never)
    const controller = new AbortController()
    const { data: stream, response } = await openai.chat.completions
      .create({ model, messages: hello, stream: true }, { signal: controller.signal })
      .withResponse()
    await stream[Symbol.asyncIterator]().next()
    controller.abort()
    await fake.requests.at(-1)?.waitForAbort()
    const [settled] = await settledFor(response.headers.get('x-request-id'))
    assert.equal(settled?.statusCode, 499)
  })

  test(`${provider}: an error inside the stream is sent as data and there is no [DONE]`, async () => {
    fake.script({ provider }, {
      text: 'some words before the trouble',
      streamError: { afterChunks: 2, message: 'overloaded now' },
    } as never)
    const response = await server.call('/v1/chat/completions', {
      key: server.key,
      json: { model, messages: hello, stream: true },
    })
    assert.equal(response.status, 200)
    assert.match(response.text, /data: \{"error":\{"message":/)
    assert.ok(!response.text.includes('[DONE]'))
    const [settled] = await settledFor(response.headers.get('x-request-id'))
    assert.equal(typeof settled?.errorMessage, 'string')
  })

  test(`${provider}: a stream that is cut without its end is an error, not a short response`, async () => {
    fake.script({ provider }, { text: 'some words before the cut', endAfterChunks: 2 } as never)
    const response = await server.call('/v1/chat/completions', {
      key: server.key,
      json: { model, messages: hello, stream: true },
    })
    assert.match(response.text, /data: \{"error":/)
    assert.ok(!response.text.includes('[DONE]'))
  })
}

test('bad requests are refused with the field, before anything goes upstream, and metered under their model and its provider', async () => {
  const sent = fake.requests.length
  const cases: [object, string | null, string][] = [
    [{ messages: hello }, 'model', 'invalid_request'],
    [{ model: 5, messages: hello }, 'model', 'invalid_request'],
    [{ model: 'gpt-6-sol' }, 'messages', 'invalid_request'],
    [{ model: 'gpt-6-sol', messages: [] }, 'messages', 'invalid_request'],
    [{ model: 'gpt-6-sol', messages: hello, stream: 'yes' }, 'stream', 'invalid_request'],
    [{ model: 'gpt-6-sol', messages: hello, metadata: 'text' }, 'metadata', 'invalid_request'],
    [
      { model: 'gpt-6-sol', messages: hello, metadata: { long: 'x'.repeat(17_000) } },
      'metadata',
      'invalid_request',
    ],
    [['not an object'], null, 'invalid_request'],
    [{ model: 'unheard-of-1', messages: hello }, 'model', 'model_not_found'],
  ]
  for (const [body, param, code] of cases) {
    const response = await server.call('/v1/chat/completions', { key: server.key, json: body })
    assert.equal(response.status, code === 'model_not_found' ? 404 : 400, JSON.stringify(body).slice(0, 80))
    assert.deepEqual([response.json.error.param, response.json.error.code], [param, code])
    const settled = await settledFor(response.headers.get('x-request-id'))
    const named = 'model' in body && typeof body.model === 'string' ? body.model : ''
    assert.deepEqual(
      settled.map(({ provider, model }) => [provider, model]),
      [[named === 'gpt-6-sol' ? 'openai' : null, named]],
    )
  }
  assert.equal(fake.requests.length, sent)
})

test("what the caller did wrong does not make the provider's key look broken", async () => {
  const healthOf = async (provider: string): Promise<string | null> => {
    const { json } = await server.call('/providers', { headers: { accept: 'application/json' } })
    const found = json.providers.find((each: { id: string }) => each.id === provider)
    return found.accounts[0].keys[0].last_error
  }
  const ask = (body: object) =>
    server.call('/v1/chat/completions', { key: server.key, json: { messages: hello, ...body } })
  assert.equal((await ask({ model: exampleModels.gemini })).status, 200)
  // The last words on these two keys: a field that our adapter refuses, and one that the provider refuses.
  assert.equal((await ask({ model: exampleModels.anthropic })).status, 200)
  assert.equal((await ask({ model: exampleModels.anthropic, n: 2 })).status, 400)
  fake.script({ provider: 'gemini' }, { error: { status: 400 } } as never)
  assert.equal((await ask({ model: exampleModels.gemini })).status, 400)
  fake.script({ provider: 'openai' }, { error: { status: 401 } } as never)
  assert.equal((await ask({ model: exampleModels.openai })).status, 502)
  // All outcomes so far are saved together.
  await waitFor("the refused key's error", async () => /refused/.test((await healthOf('openai')) ?? ''))
  assert.equal(await healthOf('anthropic'), null)
  assert.equal(await healthOf('gemini'), null)
})

test('the gateway needs an API key, also from the local owner', async () => {
  const { status, json, headers } = await server.call('/v1/chat/completions', {
    json: { model: 'gpt-6-sol', messages: hello },
  })
  assert.equal(status, 401)
  assert.equal(json.error.code, 'invalid_api_key')
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
})

test('the local owner may use the playground without a key', async () => {
  const { status, json } = await server.call('/api/v1/gateway/playground', {
    json: { model: exampleModels.anthropic, messages: hello },
  })
  assert.equal(status, 200)
  assert.match(json.choices[0].message.content, /Hello from the gateway/)
})

test('models of all providers are listed with prices where known, and one outage does not empty the list', async () => {
  const { data } = await openai.models.list()
  const owners = new Set(data.map((each) => each.owned_by))
  assert.deepEqual([...owners].toSorted(), [...providers].toSorted())
  fake.always({ endpoint: 'models', provider: 'anthropic' } as never, { error: { status: 500 } } as never)
  assert.equal((await openai.models.list()).data.length, data.length)
  const one = await server.call(`/v1/models/${data[0]?.id}`, { key: server.key })
  assert.equal(one.json.id, data[0]?.id)
  const none = await server.call('/v1/models/none-such', { key: server.key })
  assert.deepEqual([none.status, none.json.error.code], [404, 'model_not_found'])
})

test("a synchronisation brings the aggregator's models with exact prices, and reports what changed", async () => {
  const first = await server.call('/providers/aggregator/models/sync', { key: server.key, json: {} })
  assert.equal(first.status, 200, first.text)
  assert.ok(first.json.synced > 0 && first.json.added === first.json.synced)
  const again = await server.call('/providers/openrouter/models/sync', { key: server.key, json: {} })
  assert.deepEqual([again.json.added, again.json.updated, again.json.removed], [0, 0, 0])
  const { json } = await server.call('/v1/models', { key: server.key })
  const priced = json.data.filter(
    (each: { owned_by: string; input_price_per_1m: string | null }) =>
      each.owned_by === 'openrouter' && each.input_price_per_1m !== null,
  )
  assert.ok(priced.length > 0)
})

test('a custom provider is added, routed by its longest prefix, and refused where it could do harm', async () => {
  const base = {
    id: 'house',
    name: 'House model',
    prefixes: ['house/'],
    base_url: fake.baseUrls.OPENAI_BASE_URL,
  }
  assert.equal(
    (await server.call('/providers', { key: server.key, json: { ...base, allow_private: true } })).json.error
      .param,
    'allow_private',
  )
  assert.equal(
    (
      await server.call('/providers', {
        key: server.key,
        json: { ...base, base_url: 'https://user:pass@example.com' },
      })
    ).json.error.param,
    'base_url',
  )
  assert.equal(
    (await server.call('/providers', { key: server.key, json: { ...base, base_url: 'file:///etc/passwd' } }))
      .json.error.param,
    'base_url',
  )
  assert.equal(
    (await server.call('/providers', { key: server.key, json: { ...base, prefixes: ['gpt-'] } })).json.error
      .param,
    'prefixes',
  )
  for (const id of ['aggregator', 'key', 'accounts']) {
    assert.equal(
      (await server.call('/providers', { key: server.key, json: { ...base, id } })).json.error.param,
      'id',
    )
  }
  assert.equal(
    (await server.call('/providers', { key: server.key, json: { ...base, id: 'openai' } })).json.error.param,
    'id',
  )
  assert.equal((await server.call('/providers', { key: server.key, json: base })).status, 201)
  const missing = await waitFor('the new provider to be routed', async () => {
    const response = await server.call('/v1/chat/completions', {
      key: server.key,
      json: { model: 'house/gpt-4.1', messages: hello },
    })
    return response.status !== 404 && response
  })
  assert.equal(missing.json.error.code, 'no_provider_key')
  assert.deepEqual(
    [missing.status, missing.json.error.type, missing.json.error.param],
    [400, 'configuration_error', null],
  )
  await server.call('/providers/house', {
    key: server.key,
    json: { api_key: 'sk-house-key-123456', name: 'house' },
    headers: { accept: 'application/json' },
  })
  const refused = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'house/gpt-4.1', messages: hello },
  })
  assert.equal(refused.status, 502)
  assert.match(refused.json.error.message, /private network/)
})

test('a custom provider is changed: what is not given stays, and what belongs to another is refused', async () => {
  const patch = (path: string, json: object) => server.call(path, { method: 'PATCH', key: server.key, json })
  const changed = await patch('/providers/house', { name: 'Home model', prefixes: ['home/', 'house/'] })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.json.name, changed.json.prefixes, changed.json.base_url],
    ['Home model', ['home/', 'house/'], fake.baseUrls.OPENAI_BASE_URL],
  )
  assert.equal((await patch('/providers/house', { prefixes: ['claude-'] })).json.error.param, 'prefixes')
  assert.equal((await patch('/providers/house', { allow_private: true })).json.error.param, 'allow_private')
  assert.equal((await patch('/providers/house', { colour: 'red' })).status, 400)
  assert.equal((await patch('/providers/nobody', { name: 'x' })).status, 404)
  assert.equal((await patch('/providers/openai', { name: 'x' })).json.error.param, 'name')
  await patch('/providers/house', { is_active: false })
  await waitFor('the provider to be turned off', async () => {
    const refused = await server.call('/v1/chat/completions', {
      key: server.key,
      json: { model: 'home/gpt-4.1', messages: hello },
    })
    return refused.json.error.code === 'model_not_found'
  })
})

test('a provider that cannot list its models is not asked again on every call', async () => {
  const own = await startGateway()
  own.fake.always({ endpoint: 'models', provider: 'anthropic' } as never, { error: { status: 500 } } as never)
  const asked = () =>
    own.fake.requests.filter(({ provider, path }) => provider === 'anthropic' && path.includes('/models'))
      .length
  for (let call = 0; call < 3; call++) assert.ok((await own.openai.models.list()).data.length > 0)
  assert.equal(asked(), 1)
})

test('a redirect is not followed, a compressed response is decompressed, a broken one is an error', async () => {
  const body = { model: 'gpt-4.1', messages: hello }
  fake.script({ provider: 'openai' }, { redirect: `${server.url}/livez` } as never)
  assert.equal((await server.call('/v1/chat/completions', { key: server.key, json: body })).status, 502)
  fake.script({ provider: 'openai' }, { gzip: true } as never)
  assert.equal((await server.call('/v1/chat/completions', { key: server.key, json: body })).status, 200)
  fake.script({ provider: 'openai' }, { body: '<html>oops</html>' } as never)
  assert.equal((await server.call('/v1/chat/completions', { key: server.key, json: body })).status, 502)
  fake.script({ provider: 'openai' }, { reset: 'before-headers' } as never)
  const reset = await server.call('/v1/chat/completions', { key: server.key, json: body })
  assert.deepEqual([reset.status, reset.json.error.code], [502, 'provider_error'])
})

test('no planted key is in any log line', () => {
  assert.ok(server.logged().length > 10_000)
  assert.doesNotMatch(server.logged(), /planted|sb-[A-Za-z0-9_-]{43}/)
})

test('a model that is billed by time shows its price by the second, and none for tokens', async () => {
  const { json } = await server.call('/v1/models/whisper-1', { key: server.key })
  // $0.006 a minute.
  assert.deepEqual(
    [json.audio_price_per_second, json.input_price_per_1m, json.output_price_per_1m],
    ['0.0001', null, null],
  )
})
