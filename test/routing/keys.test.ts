import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Reply } from '#fake-provider'
import { keyOf } from '#test/gateway'
import { waitFor } from '#test/wait'
import { claude, gpt, startRouted, withDatabase } from './routed.ts'

const server = await startRouted()
const { fake, ask, usedKeys } = server
await server.pool('second')
const third = await server.pool('third', 8)

beforeEach(() => server.recover())

const session = (name: string) => ({ 'x-signalbox-session': name })
const firstLine = `Bearer ${keyOf('openai')}`

/** Fails calls with the key that the first call was made with. */
function failFirst(reply: Reply): void {
  let failing: string | undefined
  fake.always('openai', ({ headers }) => {
    failing ??= headers.authorization
    return headers.authorization === failing ? reply : {}
  })
}

test('a key that is refused is followed by another of the pool, and rests', async () => {
  for (const status of [401, 402, 403, 429]) {
    await server.recover()
    failFirst({ error: { status } })
    const first = await ask(gpt, {}, session('a'))
    assert.equal(first.status, 200, first.text)
    assert.equal(first.headers.get('x-signalbox-attempts'), '2')
    const again = await ask(gpt, {}, session('a'))
    assert.equal(again.headers.get('x-signalbox-attempts'), '1', `${status}: the key rests`)
    const [refused, taking, next] = usedKeys()
    assert.notEqual(refused, taking)
    assert.equal(next, taking, 'the conversation stays where it went')
  }
})

test('a rest ends when the provider said so', async () => {
  failFirst({ error: { status: 429, retryAfter: 3 } })
  await ask(gpt, {}, session('b'))
  await ask(gpt, {}, session('b'))
  const [refused] = usedKeys()
  assert.ok(
    !usedKeys()
      .slice(1)
      .includes(refused ?? ''),
  )
  fake.always('openai', {})
  await waitFor('the key to be used again', async () => {
    await ask(gpt, {}, session('b'))
    return usedKeys().at(-1) === refused
  })
})

test('a conversation stays with its key, by its session or by how it begins', async () => {
  for (let turn = 0; turn < 4; turn++) await ask(gpt, {}, session('same'))
  assert.equal(new Set(usedKeys()).size, 1)
  fake.reset()
  const begins = { role: 'user', content: 'Write a poem about the sea' }
  for (const later of [
    [],
    [
      { role: 'assistant', content: 'The sea' },
      { role: 'user', content: 'Longer' },
    ],
  ])
    await ask(gpt, { messages: [begins, ...later] })
  assert.equal(new Set(usedKeys()).size, 1)
})

test('conversations spread over the keys by their weights', async () => {
  for (let each = 0; each < 40; each++)
    await ask(gpt, {}, session(`conversation ${each}`.replaceAll(' ', '-')))
  const counts = Map.groupBy(usedKeys(), (key) => key)
  assert.deepEqual([...counts.keys()].toSorted(), ['first', 'second', 'third'])
  // Weights 1, 1 and 8: about 32 of 40.
  assert.ok((counts.get('third')?.length ?? 0) >= 24, JSON.stringify(usedKeys()))
})

test('when every key rests, one is asked nevertheless', async () => {
  fake.always('openai', { error: { status: 429, retryAfter: 600 } })
  const refused = await ask(gpt)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('x-signalbox-attempts'), '3', 'each key once: nobody waits ten minutes')
  fake.reset()
  assert.equal((await ask(gpt)).status, 200)
})

test('a provider that is down is not asked with every key before another target', async () => {
  fake.always('openai', { error: { status: 503 } })
  const { status } = await ask(gpt, { fallbacks: [claude] })
  assert.equal(status, 200)
  assert.deepEqual(server.called(), ['openai', 'anthropic'])
})

test('after five failures in a row a key and model are avoided, then one request tries', async () => {
  await server.route({ name: 'down', targets: [gpt, claude], attempts: 2 })
  await server.recover()
  failFirst({ error: { status: 503 } })
  for (let each = 0; each < 5; each++) await ask('down', {}, session('c'))
  const before = usedKeys().length
  assert.equal(before, 10)
  const { headers } = await ask('down', {}, session('c'))
  assert.equal(headers.get('x-signalbox-attempts'), '1', 'another key of the pool')
  assert.equal(headers.get('x-signalbox-provider'), 'openai')
})

test('another process hears that a key rests, and so does this one', async () => {
  await withDatabase(server, (client) =>
    client.query(`select pg_notify('gateway_key_rests', $1)`, [`${third} 600000 1`]),
  )
  await waitFor('the key to be avoided', async () => {
    fake.reset()
    for (let each = 0; each < 12; each++) await ask(gpt, {}, session(`rest-${each}`))
    return !usedKeys().includes('third')
  })
  failFirst({ error: { status: 401 } })
  const heard: (string | undefined)[] = []
  await withDatabase(server, async (client) => {
    await client.query('listen gateway_key_rests')
    client.on('notification', ({ payload }) => heard.push(payload))
    await ask(gpt, {}, session('d'))
    await waitFor('the notification', () =>
      heard.some((message) => /^[0-9a-f-]{36} 30000 1$/.test(message ?? '')),
    ).catch((error: unknown) => assert.fail(`${String(error)}: ${heard.join(', ')}`))
  })
})

test("an API key's own choice goes first, and the pool takes over from it", async () => {
  const made = await server.call('/api/v1/keys', {
    json: { name: 'pinned', provider_key_overrides: { openai: third } },
  })
  const asPinned = () =>
    server.call('/v1/chat/completions', {
      key: made.json.key as string,
      json: { model: gpt, messages: [{ role: 'user', content: 'Hello' }] },
    })
  for (let each = 0; each < 3; each++) await asPinned()
  assert.deepEqual(usedKeys(), ['third', 'third', 'third'])
  failFirst({ error: { status: 429 } })
  assert.equal((await asPinned()).status, 200)
  assert.notEqual(usedKeys().at(-1), 'third')
})

test('a target that names a key uses no other', async () => {
  await server.route({ name: 'tied', targets: [{ model: gpt, provider_key_id: third }], attempts: 2 })
  await server.recover()
  fake.always('openai', { error: { status: 429, retryAfter: 600 } })
  assert.equal((await ask('tied')).status, 429)
  assert.deepEqual(usedKeys(), ['third'])
})

test('with least_busy the key with the fewest running calls is next', async () => {
  await server.route({ name: 'busy', targets: [gpt], strategy: 'least_busy' })
  await server.recover()
  fake.always('openai', { headersAfterMs: 1_500 })
  const asked = []
  for (let each = 1; each <= 3; each++) {
    asked.push(ask('busy', {}, session('e')))
    await fake.waitForRequests(each)
  }
  assert.equal(new Set(usedKeys()).size, 3, 'the same conversation, and yet not one key')
  await Promise.all(asked)
})

test('a stream of one key that is refused goes on with another, and no key is in any response', async () => {
  failFirst({ error: { status: 401, message: `Incorrect API key: ${firstLine}` } })
  const { status, text } = await ask(gpt, { stream: true })
  assert.equal(status, 200)
  assert.match(text, /\[DONE\]/)
  assert.ok(!text.includes(keyOf('openai')))
})
