import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway, type ProviderId } from '#test/gateway'

const server = await startGateway()
const { fake, key } = server
const messages = [{ role: 'user', content: 'Hello' }]

/** Clients choose these names, and a header cannot hold them. */
const odd = { ключ: 1, 'line\nbreak': 1, 'a, b': 1, [`long_${'x'.repeat(200)}`]: 1 }
const translated = ['anthropic', 'gemini', 'perplexity'] as const

const paths: [string, object][] = [
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { input: 'Hello' }],
  ['/v1/messages', { messages, max_tokens: 100 }],
]
const isOwn = (provider: ProviderId, path: string) => provider === 'anthropic' && path === '/v1/messages'

for (const provider of translated)
  test(`${provider}: fields with names that no header can hold are left out, and the response comes`, async () => {
    for (const [path, body] of paths.filter(([each]) => !isOwn(provider, each)))
      for (const stream of [false, true]) {
        const json = { model: exampleModels[provider], stream, seed_of_nobody: 1, ...odd, ...body }
        const { status, headers, text } = await server.call(path, { key, json })
        assert.equal(status, 200, text)
        if (stream) assert.match(text, /\[DONE\]|response\.completed|message_stop/)
        const named = headers.get('x-signalbox-dropped') ?? ''
        assert.ok(named.includes('seed_of_nobody'), `${path} ${named}`)
        assert.match(named, /^[\x20-\x7e]{1,2000}$/)
        assert.ok(!named.includes('a, b'), named)
      }
  })

for (const provider of ['gemini', 'perplexity'] as const)
  test(`${provider}: so are such options of the search`, async () => {
    for (const stream of [false, true]) {
      const json = { model: exampleModels[provider], stream, messages, web_search_options: { ключ: 1 } }
      const { status, text } = await server.call('/v1/chat/completions', { key, json })
      assert.equal(status, 200, text)
    }
  })

test('gemini: so are such fields beside a text to embed', async () => {
  fake.script('gemini', { body: { json: { embeddings: [{ values: [1] }] } } })
  const json = { model: 'gemini-embedding-001', input: 'Hello', seed_of_nobody: 1, ключ: 1 }
  const { status, headers, text } = await server.call('/v1/embeddings', { key, json })
  assert.equal(status, 200, text)
  assert.equal(headers.get('x-signalbox-dropped'), 'seed_of_nobody, and 1 more')
})

test('however many fields are left out, the header that names them stays short', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${'n'.repeat(60)}_${n}`, 1]))
  const json = { model: exampleModels.perplexity, messages, ...many }
  const { status, headers } = await server.call('/v1/chat/completions', { key, json })
  assert.equal(status, 200)
  const named = headers.get('x-signalbox-dropped') ?? ''
  assert.ok(named.length < 1_100, String(named.length))
  assert.match(named, /, and \d+ more$/)
})

test('names that the header cannot hold are counted', async () => {
  const json = { model: exampleModels.perplexity, messages, ключ: 1, длина: 2 }
  const { headers } = await server.call('/v1/chat/completions', { key, json })
  assert.equal(headers.get('x-signalbox-dropped'), '2 more')
})
