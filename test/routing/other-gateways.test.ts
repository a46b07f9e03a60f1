import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Reply } from '#fake-provider'
import { keyOf } from '#test/gateway'
import { claude, gemini, gpt, startRouted, trailOf } from './routed.ts'

// What the public tests of LiteLLM's router and of Portkey's gateway check, and the other tests here do not yet.
// docs/compared.md lists them, docs/failover.md says where we decided otherwise.
const server = await startRouted()
const { fake, ask, called, usedKeys } = server
await server.pool('second')
await server.pool('third')
await server.route({ name: 'pair', targets: [gpt, claude], attempts: 2 })
await server.route({ name: 'alone', targets: [claude], attempts: 2 })
await server.route({ name: 'three', targets: [gpt, claude, gemini], attempts: 5 })

beforeEach(() => server.recover())

const fails = (status: number, message = 'no'): Reply => ({ error: { status, message } })
const session = (name: string) => ({ 'x-signalbox-session': name })
const ofOpenAi = () => fake.requests.filter(({ provider }) => provider === 'openai').length

/** Fails calls with the key of the first one, by their number; returns how many it had. */
function failFirstKey(isFailing: (call: number) => boolean, reply: Reply): () => number {
  let key: string | undefined
  let calls = 0
  fake.always('openai', ({ headers }) => {
    key ??= headers.authorization
    return headers.authorization === key && isFailing(calls++) ? reply : {}
  })
  return () => calls
}

test('a request that is at fault says nothing against its key', async () => {
  const calls = failFirstKey(() => true, fails(400))
  for (let each = 0; each < 3; each++) assert.equal((await ask(gpt, {}, session('a'))).status, 400)
  assert.equal(calls(), 3)
})

test('a key that fails in a quarter of many calls is kept', async () => {
  const calls = failFirstKey((call) => call % 4 === 0, fails(503))
  for (let each = 0; each < 40; each++) assert.equal((await ask('pair', {}, session('b'))).status, 200)
  assert.equal(calls(), 40)
})

test('a key that fails in six of ten calls is avoided, and nobody notices', async () => {
  const calls = failFirstKey((call) => call % 5 < 3, fails(503))
  for (let each = 0; each < 40; each++) assert.equal((await ask('pair', {}, session('c'))).status, 200)
  assert.ok(calls() >= 20 && calls() <= 25, `${calls()} calls`)
})

test('a single failure of a key is not held against it', async () => {
  const calls = failFirstKey((call) => call === 0, fails(503))
  for (let each = 0; each < 3; each++) await ask('pair', {}, session('d'))
  assert.equal(calls(), 3)
})

test('a provider that asks for no pause at all gets none', async () => {
  const calls = failFirstKey((call) => call === 0, { error: { status: 429, retryAfter: 0 } })
  for (let each = 0; each < 3; each++) assert.equal((await ask(gpt, {}, session('e'))).status, 200)
  assert.equal(calls(), 3)
})

test('a key that rests after a request of one API rests for the others', async () => {
  failFirstKey(() => true, { error: { status: 429, retryAfter: 60 } })
  const json = { model: gpt, input: 'Hello' }
  const first = await server.call('/v1/responses', { key: server.key, json, headers: session('f') })
  assert.equal(first.headers.get('x-signalbox-attempts'), '2', first.text)
  const { headers } = await ask(gpt, {}, session('f'))
  assert.equal(headers.get('x-signalbox-attempts'), '1')
})

test('the client gets the error of the last call', async () => {
  fake.always('openai', fails(503, 'the first'))
  fake.always('anthropic', fails(529, 'the last'))
  const { json } = await ask('pair')
  assert.equal(json.error.message, 'the last')
})

test('fallbacks are tried in their order until one answers', async () => {
  fake.always('openai', fails(503))
  fake.always('anthropic', fails(503))
  const { status, headers } = await ask(gpt, { fallbacks: [claude, gemini] })
  assert.equal(status, 200)
  assert.deepEqual(called(), ['openai', 'anthropic', 'gemini'])
  assert.equal(headers.get('x-signalbox-attempts'), '3')
})

test('a name that comes again, also by a route, is not asked again before the others', async () => {
  fake.always('openai', fails(503))
  fake.always('anthropic', fails(503))
  const { status } = await ask(gpt, { fallbacks: [gpt, 'pair', gemini, `openai/${gpt}`] })
  assert.deepEqual([status, called()], [200, ['openai', 'anthropic', 'gemini']])
})

test('an error of the request ends it, also when it comes from a later target', async () => {
  fake.always('openai', fails(503))
  fake.always('anthropic', fails(400, 'too many images'))
  const { status, json } = await ask('three')
  assert.deepEqual([status, json.error.message], [400, 'too many images'])
  assert.deepEqual(called(), ['openai', 'anthropic'])
})

test('a model that is gone leads to the next target, and says nothing against its key', async () => {
  const calls = failFirstKey(() => true, fails(404))
  for (let each = 0; each < 6; each++) assert.equal((await ask('pair', {}, session('h'))).status, 200)
  assert.equal(calls(), 6)
})

test('keys that are refused at the same moment rest once, and not twice as long', async () => {
  fake.always('openai', { headersAfterMs: 200, error: { status: 402, message: 'no credit' } })
  const asked = [1, 2, 3].map(() => ask(gpt, {}, session('i')))
  for (const { headers } of await Promise.all(asked)) assert.equal(headers.get('x-signalbox-attempts'), '3')
  const { json } = await server.call('/api/v1/routes/pair/explain', { json: {} })
  assert.match(json.targets[1].reason, /^its key rests for (2\d|30) s/)
})

test('where nobody else is left, the time that a provider asks for is waited', async () => {
  fake.script('anthropic', { error: { status: 429, retryAfter: 1 } })
  const began = Date.now()
  const { status, headers } = await ask('alone')
  assert.deepEqual([status, headers.get('x-signalbox-attempts')], [200, '2'])
  assert.ok(Date.now() - began >= 1_000)
})

test('an error inside a stream that has said nothing yet is judged as any other', async () => {
  fake.script('openai', { streamError: { afterChunks: 0, status: 429, message: 'slow down' } } as Reply)
  const limited = await ask('pair', { stream: true })
  assert.deepEqual([limited.status, called()], [200, ['openai', 'anthropic']])
  assert.match(limited.text, /\[DONE\]/)
})

test('with least_busy a fallback of the request still comes after the route', async () => {
  await server.route({ name: 'busy', targets: [gpt, claude], strategy: 'least_busy' })
  for (const provider of ['openai', 'anthropic'] as const) fake.always(provider, { headersAfterMs: 500 })
  const asked: Promise<unknown>[] = []
  for (let each = 1; each <= 4; each++) {
    asked.push(ask('busy', { fallbacks: [gemini] }))
    await fake.waitForRequests(each)
  }
  await Promise.all(asked)
  // OpenAI has three keys, so that each of them has less to do.
  assert.deepEqual(called().toSorted(), ['anthropic', 'openai', 'openai', 'openai'])
})

test('with weighted a conversation stays with its target, and conversations are spread', async () => {
  const targets = [
    { model: gpt, weight: 3 },
    { model: claude, weight: 1 },
  ]
  await server.route({ name: 'shared', targets, strategy: 'weighted' })
  for (let each = 0; each < 40; each++) {
    const from = fake.requests.length
    for (let turn = 0; turn < 2; turn++) await ask('shared', {}, session(`g-${each}`))
    assert.equal(new Set(called().slice(from)).size, 1)
  }
  // Three parts of four: about 60 of 80 calls.
  assert.ok(ofOpenAi() >= 46 && ofOpenAi() <= 74, `${ofOpenAi()} of 80`)
  fake.reset()
  const begins = [{ role: 'user', content: 'Write a poem about the sea' }]
  const later = [...begins, { role: 'assistant', content: 'The sea' }, { role: 'user', content: 'Longer' }]
  for (const messages of [begins, later]) await ask('shared', { messages })
  assert.equal(new Set(called()).size, 1, 'also without a session')
})

test('what a failed target leaves is shared by the others by weight, and returns to it', async () => {
  const targets = [
    { model: gpt, weight: 2 },
    { model: claude, weight: 1 },
    { model: gemini, weight: 1 },
  ]
  await server.route({ name: 'spread', targets, strategy: 'weighted', attempts: 4 })
  const answers = async () => {
    const found: (string | null)[] = []
    for (let each = 0; each < 40; each++)
      found.push((await ask('spread', {}, session(`j-${each}`))).headers.get('x-signalbox-provider'))
    return found
  }
  const usual = await answers()
  fake.always('openai', fails(503))
  const without = await answers()
  assert.ok(!without.includes('openai'))
  for (const [index, provider] of usual.entries())
    if (provider !== 'openai') assert.equal(without[index], provider, 'others stay where they are')
  // About half of about 20.
  const moved = without.filter((provider, index) => usual[index] === 'openai' && provider === 'gemini').length
  assert.ok(moved >= 1 && moved < usual.filter((provider) => provider === 'openai').length)
  await server.recover()
  assert.deepEqual(await answers(), usual)
})

test('the dry run says which keys rest, and what is used instead', async () => {
  const explained = async () =>
    (await server.call('/api/v1/routes/pair/explain', { json: {} })).json.targets as {
      model: string
      provider_key_id: string
      decision: string
      reason: string
    }[]
  const [before] = await explained()
  assert.deepEqual([before?.model, before?.decision, before?.reason], [gpt, 'used', 'the first that fits'])
  fake.always('openai', { error: { status: 429, retryAfter: 600 } })
  // One of the three keys is refused: the next one is meant.
  const { attempts } = await trailOf(server, await ask('pair'))
  const [after] = await explained()
  assert.deepEqual([after?.model, after?.decision], [gpt, 'used'])
  assert.notEqual(after?.provider_key_id, attempts[0]?.provider_key_id)
  // All three are: the other target goes first.
  assert.equal((await ask(gpt)).status, 429)
  const [first, second] = await explained()
  assert.deepEqual([first?.model, first?.decision], [claude, 'used'])
  assert.deepEqual([second?.model, second?.decision], [gpt, 'fallback'])
  assert.match(second?.reason ?? '', /^its key rests for (599|600) s, so it is tried after the others$/)
})

const limit = async (json: object): Promise<string> => {
  const made = await server.call('/api/v1/limits', { json })
  assert.equal(made.status, 201, made.text)
  return made.json.id as string
}
const unlimit = (id: string) => server.call(`/api/v1/limits/${id}`, { method: 'DELETE' })
const nothing = { metric: 'cost', amount: '0', window: 'day' }

test('a provider whose budget is spent is passed over, and the trail says so', async () => {
  const id = await limit({ subject: { type: 'provider', id: 'openai' }, ...nothing })
  const answer = await ask('pair')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(called(), ['anthropic'])
  assert.equal(answer.headers.get('x-signalbox-attempts'), '1')
  const { attempts } = await trailOf(server, answer)
  assert.deepEqual(
    attempts.map(({ provider, status_code, error_code }) => [provider, status_code, error_code]),
    [
      ['openai', null, 'budget_exceeded'],
      ['anthropic', 200, null],
    ],
  )
  await unlimit(id)
})

test('a budget of the group that is spent ends the request before any call', async () => {
  const id = await limit({ subject: { type: 'group' }, ...nothing })
  const { status, json, headers } = await ask('pair')
  assert.deepEqual([status, json.error.code, called()], [429, 'budget_exceeded', []])
  assert.equal(headers.get('x-should-retry'), 'false')
  await unlimit(id)
})

test('a call that failed gives back what it had reserved', async () => {
  const id = await limit({ subject: { type: 'group' }, metric: 'cost', amount: '100', window: 'total' })
  const { json: before } = await server.call(`/api/v1/limits/${id}`)
  fake.always('openai', fails(400))
  assert.equal((await ask(gpt)).status, 400)
  const { json } = await server.call(`/api/v1/limits/${id}`)
  assert.deepEqual([json.used, json.reserved], [before.used, '0'])
  await unlimit(id)
})

test('no key is in what a client gets of several failures', async () => {
  fake.always('openai', fails(401, `Incorrect API key provided: ${keyOf('openai')}`))
  const { status, text } = await ask(gpt)
  assert.equal(status, 502)
  assert.ok(!text.includes(keyOf('openai')))
  assert.equal(usedKeys().length, 3, 'each key once: one that was refused is not asked again')
})

test('a target with as many requests as it may have at once is passed over until one has ended', async () => {
  const id = await limit({ subject: { type: 'model', id: gpt }, metric: 'concurrent', amount: 1 })
  const held = fake.requests.length
  fake.script('openai', { headersAfterMs: 1_500 })
  const slow = ask('pair')
  await fake.waitForRequests(held + 1)
  const other = await ask('pair')
  assert.equal(other.headers.get('x-signalbox-provider'), 'anthropic')
  const { attempts } = await trailOf(server, other)
  assert.deepEqual(
    attempts.map(({ provider, error_code }) => [provider, error_code]),
    [
      ['openai', 'limit_exceeded'],
      ['anthropic', null],
    ],
  )
  assert.equal((await slow).headers.get('x-signalbox-provider'), 'openai')
  assert.equal((await ask('pair')).headers.get('x-signalbox-provider'), 'openai')
  await unlimit(id)
})

test('of two windows of one key the one that is spent refuses, and a new secret has the same limits', async () => {
  const { json: made } = await server.call('/api/v1/keys', { json: { name: 'two', scopes: ['gateway'] } })
  const subject = { type: 'api_key', id: made.id as string }
  const day = await limit({ subject, metric: 'requests', amount: 9, window: 'day' })
  const month = await limit({ subject, metric: 'requests', amount: 1, window: 'month' })
  const say = (key: string) =>
    server.call('/v1/chat/completions', {
      key,
      json: { model: gpt, messages: [{ role: 'user', content: 'Hi' }] },
    })
  assert.equal((await say(made.key as string)).status, 200)
  assert.equal((await say(made.key as string)).json.error.limit.id, month)
  const { json: rotated } = await server.call(`/api/v1/keys/${subject.id}/rotate`, { json: {} })
  assert.equal((await say(rotated.key as string)).json.error.limit.id, month)
  await unlimit(month)
  assert.equal((await say(rotated.key as string)).status, 200)
  await unlimit(day)
})
