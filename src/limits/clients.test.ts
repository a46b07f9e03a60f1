import assert from 'node:assert/strict'
import { test } from 'node:test'
import Anthropic, { type APIError as AnthropicError } from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import OpenAI, { type APIError } from 'openai'
import { model, removeLimit, setLimit, startPriced } from './testing-limits.ts'

const product = await startPriced()
const subject = { type: 'group' }
const messages = [{ role: 'user' as const, content: 'Hello' }]

/** A fetch that counts how often it is called. */
function counted() {
  const calls = { count: 0 }
  const counting: typeof fetch = (...given) => {
    calls.count++
    return fetch(...given)
  }
  return { calls, fetch: counting }
}

test('no client tries again when a budget is spent, each with the retries that it has by default', async () => {
  const limit = await setLimit(product, { subject, metric: 'cost', amount: '0', window: 'month' })
  const openai = counted()
  const client = new OpenAI({ apiKey: product.key, baseURL: `${product.url}/v1`, fetch: openai.fetch })
  await assert.rejects(client.chat.completions.create({ model, messages }), (error: APIError) => {
    assert.deepEqual([error.status, error.code, error.type], [429, 'budget_exceeded', 'rate_limit_error'])
    return true
  })
  await assert.rejects(client.responses.create({ model, input: 'Hello' }), {
    status: 429,
    code: 'budget_exceeded',
  })
  assert.equal(openai.calls.count, 2)

  const anthropic = counted()
  const other = new Anthropic({ apiKey: product.key, baseURL: product.url, fetch: anthropic.fetch })
  await assert.rejects(
    other.messages.create({ model, max_tokens: 10, messages }),
    (error: InstanceType<typeof AnthropicError>) => {
      const { error: body } = error.error as { error: { type: string; limit: { id: string } } }
      assert.deepEqual([error.status, body.type, body.limit.id], [429, 'rate_limit_error', limit.id])
      return true
    },
  )
  assert.equal(anthropic.calls.count, 1)

  const langchain = counted()
  const configuration = { baseURL: `${product.url}/v1`, fetch: langchain.fetch }
  await assert.rejects(new ChatOpenAI({ model, apiKey: product.key, configuration }).invoke('Hello'))
  assert.equal(langchain.calls.count, 1)
  await removeLimit(product, limit.id)
})

test('a client waits for a limit that resets within a minute', async () => {
  const limit = await setLimit(product, { subject, metric: 'requests', amount: 0, window: 'minute' })
  const { calls, fetch: counting } = counted()
  const client = new OpenAI({ apiKey: product.key, baseURL: `${product.url}/v1`, fetch: counting })
  const response = await fetch(`${product.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages }),
  })
  const seconds = Number(response.headers.get('retry-after'))
  assert.equal(response.headers.get('x-should-retry'), null)
  assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
  const leaver = new AbortController()
  const asked = client.chat.completions.create({ model, messages }, { signal: leaver.signal })
  const ended = asked.then(
    () => 'answered',
    () => 'left',
  )
  if (seconds > 3) {
    const still = new Promise((resolve) => setTimeout(resolve, 500, 'waiting'))
    assert.equal(await Promise.race([ended, still]), 'waiting')
    assert.equal(calls.count, 1)
  }
  leaver.abort()
  await ended
  await removeLimit(product, limit.id)
})
