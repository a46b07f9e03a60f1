import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAiCompatible } from './compatible.ts'
import { readAll, requestOf } from '../passthrough/testing.ts'

const own = openAiCompatible({ id: 'lab', name: 'Lab', prefixes: ['lab/', 'lab/big/'] })
const natural = openAiCompatible({
  id: 'mistral',
  name: 'Mistral',
  prefixes: ['mistral-', 'codestral-'],
  docsUrl: 'https://docs',
})

function sent(provider: typeof own, body: object): unknown {
  const exchange = provider.chat(requestOf(body))
  assert.equal(exchange.path, '/chat/completions')
  return JSON.parse(Buffer.from(exchange.body).toString())
}

test('a prefix that ends with a slash is the gateway’s; any other is part of the name', () => {
  assert.deepEqual(sent(own, { model: 'lab/qwen/qwen3', messages: [] }), {
    model: 'qwen/qwen3',
    messages: [],
  })
  assert.deepEqual(sent(own, { model: 'lab/big/llama', messages: [] }), { model: 'llama', messages: [] })
  assert.deepEqual(sent(natural, { model: 'mistral-large', messages: [] }), {
    model: 'mistral-large',
    messages: [],
  })
})

test('unknown fields are passed on, metadata stays here, streams ask for usage', () => {
  const body = {
    model: 'mistral-large',
    messages: [],
    safe_prompt: true,
    metadata: { team: 'a' },
    stream: true,
  }
  assert.deepEqual(sent(natural, body), {
    stream_options: { include_usage: true },
    model: 'mistral-large',
    messages: [],
    safe_prompt: true,
    stream: true,
  })
})

test('usage that comes with the last text is metered, and removed where it was not asked for; the text is kept', () => {
  const choices = '"choices":[{"index":0,"delta":{"content":"!"},"finish_reason":"stop"}]'
  const last = `data: {${choices},"usage":{"prompt_tokens": 4, "completion_tokens": 2, "prompt_cache_hit_tokens": 3}}\n\n`
  const reader = natural.chat(requestOf({ model: 'mistral-large', messages: [], stream: true })).stream()
  const { text, usage } = readAll(reader, [Buffer.from(last)])
  assert.equal(text, `data: {${choices}}\n\ndata: [DONE]\n\n`)
  // 4 - 3 = 1 token was not in the cache.
  assert.deepEqual([usage?.uncached, usage?.cacheRead, usage?.output], [1, 3, 2])
})

test('listed models carry the names that lead back to them', () => {
  const list = {
    data: [{ id: 'llama', max_model_len: 8192, created: 5, owned_by: 'vllm' }, { id: 'mistral-large' }],
  }
  const names = (provider: typeof own) => provider.models?.read(list).models.map(({ id }) => id)
  assert.deepEqual(names(own), ['lab/big/llama', 'lab/big/mistral-large'])
  assert.deepEqual(names(natural), ['mistral-large'])
  assert.equal(own.models?.read(list).models[0]?.contextLength, 8192)
})

test('faults name the provider as its owner did', () => {
  assert.equal(own.fault({ status: 500, headers: {}, body: '' }).message, 'Lab returned status 500.')
  assert.equal(natural.docsUrl, 'https://docs')
})
