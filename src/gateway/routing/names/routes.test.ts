import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { keyWith, personWith } from '#test/people'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake, key } = server
const path = '/api/v1/routes'
const { openai, anthropic, gemini, perplexity } = exampleModels

const create = (json: object) => server.call(path, { json })
const remove = (name: string) => server.call(`${path}/${encodeURIComponent(name)}`, { method: 'DELETE' })
const change = (name: string, json: object) => server.call(`${path}/${name}`, { method: 'PATCH', json })
const explain = async (name: string, json: object = {}) =>
  (await server.call(`${path}/${name}/explain`, { json })).json.targets as {
    model: string
    provider: string | null
    provider_key_id: string | null
    decision: string
    reason: string
  }[]
const chat = (model: string, more: object = {}) =>
  server.call('/v1/chat/completions', {
    key,
    json: { model, messages: [{ role: 'user', content: 'Hello' }], ...more },
  })

/** The provider that a request for the name went to, or the refusal. */
async function goesTo(model: string, more: object = {}): Promise<string> {
  const { status, json } = await chat(model, more)
  return status === 200 ? `${fake.requests.at(-1)?.provider}` : `${status} ${json.error.message}`
}

async function made(json: { name: string; targets: object[]; [field: string]: unknown }): Promise<void> {
  const { status, text } = await create(json)
  assert.equal(status, 201, text)
}

test('a route is a model of its group: made, listed, asked, changed and deleted', async () => {
  const { status, json, text } = await create({ name: 'fast', targets: [{ model: openai }] })
  assert.equal(status, 201, text)
  assert.deepEqual(
    [json.name, json.description, json.strategy, json.attempts, json.timeout_ms, json.targets],
    ['fast', '', 'order', 2, null, [{ model: openai }]],
  )
  assert.equal(await goesTo('fast'), 'openai')
  const body = fake.requests.at(-1)?.json as { model: string }
  assert.equal(body.model, openai)

  const { json: listed } = await server.call('/v1/models', { key })
  assert.deepEqual(
    listed.data.filter(({ owned_by: owner }: { owned_by: string }) => owner === 'signalbox')[0].id,
    'fast',
  )
  assert.equal((await server.call('/v1/models/fast', { key })).json.owned_by, 'signalbox')
  assert.ok((await server.call('/api/v1/gateway/models')).text.includes('"fast"'))

  const changed = await change('fast', {
    targets: [{ model: anthropic }],
    description: ' Short ',
    attempts: 4,
  })
  assert.deepEqual([changed.status, changed.json.description, changed.json.attempts], [200, 'Short', 4])
  assert.equal(await goesTo('fast'), 'anthropic')
  assert.equal((await change('fast', { attempts: null })).json.attempts, 2)
  assert.equal((await change('fast', { name: 'quick' })).json.name, 'quick')
  assert.match(await goesTo('fast'), /^404/)
  assert.equal((await server.call(`${path}/quick`)).json.targets[0].model, anthropic)
  assert.deepEqual((await server.call(path)).json.data.length, 1)
  assert.equal((await remove('quick')).status, 204)
  assert.equal((await remove('quick')).status, 404)
  assert.match(await goesTo('quick'), /^404/)
  await waitFor('the events', async () =>
    ['created', 'changed', 'deleted'].every((word) => server.logged().includes(`"change":"${word}"`)),
  )
})

test('a route wins over a model of its name, and its name may have slashes', async () => {
  await made({ name: openai, targets: [{ model: anthropic }] })
  await made({ name: 'openai/team', targets: [{ model: gemini }] })
  assert.equal(await goesTo(openai), 'anthropic')
  assert.equal(await goesTo('openai/team'), 'gemini')
  assert.equal((await server.call(`${path}/${encodeURIComponent('openai/team')}`)).json.name, 'openai/team')
  const { json } = await server.call('/v1/models', { key })
  const named = json.data.filter(({ id }: { id: string }) => id === openai)
  assert.deepEqual(
    named.map(({ owned_by: owner }: { owned_by: string }) => owner),
    ['signalbox'],
  )
  for (const name of [openai, 'openai/team']) await remove(name)
  assert.equal(await goesTo(openai), 'openai')
})

test('what a target wants of a request decides who gets it, and the refusal of a request that fits none says why', async () => {
  await made({
    name: 'sized',
    targets: [
      { model: openai, when: { max_input_tokens: 50, tools: false, images: false } },
      { model: anthropic, when: { tools: true } },
      { model: gemini, when: { images: true } },
      { model: perplexity, when: { min_input_tokens: 1_000 } },
    ],
  })
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  assert.equal(await goesTo('sized'), 'openai')
  assert.equal(await goesTo('sized', { tools }), 'anthropic')
  assert.equal(await goesTo('sized', { messages: [{ role: 'user', content: [picture] }] }), 'gemini')
  assert.equal(
    await goesTo('sized', { messages: [{ role: 'user', content: 'a '.repeat(2_400) }] }),
    'perplexity',
  )
  const refused = await chat('sized', { messages: [{ role: 'user', content: 'a '.repeat(1_000) }] })
  assert.deepEqual([refused.status, refused.json.error.param], [400, 'model'])
  assert.match(
    refused.json.error.message,
    /gpt-6-sol: the request has about 500 input tokens, and the target takes 50; .*: the request has no tools; .*: the request has no images; .*at least 1000\./,
  )
  const reasons = await explain('sized', { input_tokens: 2_000, images: true })
  assert.deepEqual(
    reasons.map(({ model, decision }) => [model, decision]),
    [
      [gemini, 'used'],
      [perplexity, 'fallback'],
      [openai, 'left_out'],
      [anthropic, 'left_out'],
    ],
  )
  await remove('sized')
})

test('the other APIs are asked the same questions', async () => {
  await made({
    name: 'seen',
    targets: [
      { model: openai, when: { images: false } },
      { model: gemini, when: { images: true } },
    ],
  })
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const image = [{ role: 'user', content: [{ type: 'image', source }] }]
  for (const [path, body] of [
    ['/v1/messages', { max_tokens: 50, messages: image }],
    [
      '/v1/responses',
      {
        input: [
          {
            role: 'user',
            content: [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }],
          },
        ],
      },
    ],
  ] as const) {
    const { status, text } = await server.call(path, { key, json: { model: 'seen', ...body } })
    assert.equal(status, 200, text)
    assert.equal(fake.requests.at(-1)?.provider, 'gemini', path)
  }
  await remove('seen')
})

test('cheapest goes by the list prices, and a price may be a condition', async () => {
  const prices = [
    { model_id: openai, input_price_per_1m: '5', output_price_per_1m: '5' },
    { model_id: gemini, input_price_per_1m: '1', output_price_per_1m: '9' },
    { model_id: anthropic, input_price_per_1m: '2', output_price_per_1m: '7' },
  ]
  const { status, text } = await server.call('/api/v1/pricing', { method: 'PUT', json: prices })
  assert.ok(status < 300, text)
  const targets = [openai, anthropic, gemini].map((model) => ({ model }))
  await made({ name: 'cheap', strategy: 'cheapest', targets })
  // Three parts read and one written: 20, 13 and 12.
  assert.deepEqual(
    (await explain('cheap')).map(({ model, decision }) => [model, decision]),
    [
      [gemini, 'used'],
      [anthropic, 'fallback'],
      [openai, 'fallback'],
    ],
  )
  assert.equal(await goesTo('cheap'), 'gemini')
  await change('cheap', {
    targets: targets.map((target, index) => ({
      ...target,
      when: { max_input_price_per_1m: index === 2 ? '0.5' : 4 },
    })),
  })
  assert.deepEqual(
    (await explain('cheap')).map(({ model, reason }) => [model, reason]),
    [
      [anthropic, 'the cheapest: $2 and $7 for a million tokens in and out'],
      [openai, 'it costs $5, and the route wants at most $4'],
      [gemini, 'it costs $1, and the route wants at most $0.5'],
    ],
  )
  await remove('cheap')
})

test('weighted gives each target its share of the conversations', async () => {
  await made({
    name: 'mixed',
    strategy: 'weighted',
    targets: [
      { model: openai, weight: 3 },
      { model: anthropic, weight: 1 },
    ],
  })
  assert.deepEqual(
    (await explain('mixed')).map(({ reason }) => reason),
    ['gets 75 % of the conversations that fit', 'gets 25 % of the conversations that fit'],
  )
  const went: string[] = []
  for (let each = 0; each < 40; each++)
    went.push(await goesTo('mixed', { messages: [{ role: 'user', content: `Question ${each}` }] }))
  const first = went.filter((provider) => provider === 'openai').length
  assert.ok(first >= 22 && first <= 38, `${first} of 40`)
  await remove('mixed')
})

test('a request without a model is one for the route named default, where the group has it', async () => {
  const ask = (json: object, secret = key) =>
    server.call('/v1/chat/completions', {
      key: secret,
      json: { messages: [{ role: 'user', content: 'Hello' }], ...json },
    })
  const missing = await ask({})
  assert.deepEqual([missing.status, missing.json.error.param], [400, 'model'])
  await made({ name: 'default', targets: [{ model: anthropic }] })
  for (const json of [{}, { model: null }, { model: 'default' }]) {
    const answer = await ask(json)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(fake.requests.at(-1)?.provider, 'anthropic')
    assert.equal(answer.headers.get('x-signalbox-model'), anthropic)
  }
  for (const [path, body] of [
    ['/v1/responses', { input: 'Hello' }],
    ['/v1/messages', { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }],
  ] as const) {
    const answer = await server.call(path, { key, json: body })
    assert.equal(answer.status, 200, answer.text)
    const sent = fake.requests.at(-1)?.json as { model: string } | undefined
    assert.equal(sent?.model, anthropic)
  }
  for (const model of ['', 7]) assert.equal((await ask({ model })).status, 400, String(model))
  const only = await server.call('/api/v1/keys', {
    json: { name: 'only', scopes: ['gateway'], allowed_models: ['gpt-*'] },
  })
  const refused = await ask({}, only.json.key as string)
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'model_not_allowed'])
  await remove('default')
  assert.equal((await ask({})).status, 400)
})

test('a target may be tied to one key of the group for its provider', async () => {
  const add = async (provider: string) =>
    (
      await server.call(`/providers/${provider}`, {
        json: { api_key: `sk-tied-${provider}-0001`, name: 'tied' },
        headers: { accept: 'application/json' },
      })
    ).json.id as string
  const [tied, other] = [await add('openai'), await add('gemini')]
  await made({ name: 'tied', targets: [{ model: openai, provider_key_id: tied }] })
  assert.equal(await goesTo('tied'), 'openai')
  assert.equal(fake.requests.at(-1)?.headers.authorization, 'Bearer sk-tied-openai-0001')
  assert.equal((await explain('tied'))[0]?.provider_key_id, tied)
  const { json } = await create({ name: 'bad', targets: [{ model: openai, provider_key_id: other }] })
  assert.equal(json.error.param, 'targets.0.provider_key_id')
  await server.call(`/providers/key/${tied}/deactivate`, { method: 'POST' })
  const [left] = await explain('tied')
  assert.deepEqual([left?.decision, /deactivated/.test(left?.reason ?? '')], ['left_out', true])
  await remove('tied')
})

test('a bad route is refused by the name of its field', async () => {
  await made({ name: 'there', targets: [{ model: openai }] })
  const targets = [{ model: openai }]
  const twentyOne = Array.from({ length: 21 }, () => targets[0])
  for (const [json, param] of [
    [{ targets }, 'name'],
    [{ name: 'with space', targets }, 'name'],
    [{ name: 'x'.repeat(101), targets }, 'name'],
    [{ name: '..', targets }, 'name'],
    [{ name: '', targets }, 'name'],
    [{ name: 'a' }, 'targets'],
    [{ name: 'a', targets: [] }, 'targets'],
    [{ name: 'a', targets: twentyOne }, 'targets'],
    [{ name: 'a', targets: [{ model: 'no-such-model' }] }, 'targets.0.model'],
    [{ name: 'a', targets: [{ model: openai }, { model: 'there' }] }, 'targets.1.model'],
    [{ name: 'a', targets: [{ model: openai, weight: 0 }] }, 'targets.0.weight'],
    [
      { name: 'a', targets: [{ model: openai, when: { max_input_tokens: -1 } }] },
      'targets.0.when.max_input_tokens',
    ],
    [
      { name: 'a', targets: [{ model: openai, when: { max_input_tokens: 1, min_input_tokens: 2 } }] },
      'targets.0.when.min_input_tokens',
    ],
    [{ name: 'a', targets: [{ model: openai, provider_key_id: 'x' }] }, 'targets.0.provider_key_id'],
    [{ name: 'a', targets, strategy: 'fastest' }, 'strategy'],
    [{ name: 'a', targets, attempts: 11 }, 'attempts'],
    [{ name: 'a', targets, timeout_ms: 0 }, 'timeout_ms'],
  ] as const) {
    const { status, json: answer } = await create(json)
    assert.deepEqual([status, answer.error.param], [400, param], JSON.stringify(json).slice(0, 200))
  }
  for (const { status, json } of [
    await create({ name: 'there', targets }),
    await (async () => {
      await made({ name: 'other', targets })
      return change('other', { name: 'there' })
    })(),
  ])
    assert.deepEqual([status, json.error.code, json.error.param], [409, 'conflict', 'name'])
  for (const name of ['there', 'other']) await remove(name)
})

test('routes belong to a group, and admins or keys of scope admin change them', async () => {
  await made({ name: 'ours', targets: [{ model: openai }] })
  const { json: ownKeys } = await server.call('/providers', { headers: { accept: 'application/json' } })
  const ownKey = ownKeys.providers.find(({ id }: { id: string }) => id === 'openai').accounts[0].keys[0].id
  const { json: group } = await server.call('/api/v1/groups', { json: { name: 'Others' } })
  const inOthers = { headers: { 'x-group-id': group.id as string } }
  assert.equal((await server.call(`${path}/ours`, inOthers)).status, 404)
  assert.deepEqual((await server.call(path, inOthers)).json.data, [])
  for (const call of [
    server.call(`${path}/ours`, { ...inOthers, method: 'PATCH', json: { description: 'theirs' } }),
    server.call(`${path}/ours`, { ...inOthers, method: 'DELETE' }),
    server.call(`${path}/ours/explain`, { ...inOthers, json: {} }),
  ])
    assert.equal((await call).status, 404)
  const { key: theirs } = (
    await server.call('/api/v1/keys', { ...inOthers, json: { name: 'theirs', scopes: ['gateway'] } })
  ).json
  const asked = await server.call('/v1/chat/completions', {
    key: theirs,
    json: { model: 'ours', messages: [{ role: 'user', content: 'Hello' }] },
  })
  assert.deepEqual([asked.status, asked.json.error.code], [404, 'model_not_found'])
  const foreign = await server.call(path, {
    ...inOthers,
    json: { name: 'a', targets: [{ model: openai, provider_key_id: ownKey }] },
  })
  assert.deepEqual([foreign.status, foreign.json.error.param], [400, 'targets.0.provider_key_id'])

  const viewer = await personWith(server, 'viewer')
  const reader = await keyWith(server, ['read'])
  const admin = await keyWith(server, ['admin'])
  const json = { description: 'changed' }
  assert.equal((await viewer(`${path}/ours`)).status, 200)
  assert.equal((await viewer(`${path}/ours`, { method: 'PATCH', json })).status, 403)
  assert.equal((await reader(`${path}/ours`, { method: 'PATCH', json })).status, 403)
  assert.equal((await admin(`${path}/ours`, { method: 'PATCH', json })).status, 200)
  await remove('ours')
})
