import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const product = await startGateway()
const { openai, fake } = product
const sentence = 'Nothing passes the gateway unseen, and every request is written to the log. '
const question = 'Write down, in plain words, what a signalman does between two trains. '.repeat(40)

interface Row {
  prompt_tokens: number
  completion_tokens: number
  usage_source: string
  input_cost: string
  output_cost: string
  status_code: number
}

/** The tokenizer has to be loaded first, which may take a while on a busy machine. */
async function rowOf(model: string): Promise<Row> {
  return waitFor(`the row of ${model}`, async () => {
    const { json } = await product.call(`/api/v1/logs?limit=1&model=${model}`, { key: product.key })
    return json.data[0] as Row | undefined
  })
}

for (const provider of ['openai', 'gemini', 'anthropic'] as const) {
  test(`${provider}: a stream that broke off is counted from what was delivered, and priced`, async () => {
    const model = exampleModels[provider]
    const prices = { input_price_per_1m: '2', output_price_per_1m: '10' }
    await product.call(`/api/v1/pricing/${model}`, { key: product.key, method: 'PUT', json: prices })
    fake.script(provider, { repeat: { text: sentence, times: 200 }, reset: { afterChunks: 120 } })
    let delivered = ''
    const messages = [{ role: 'user' as const, content: question }]
    await assert.rejects(async () => {
      for await (const chunk of await openai.chat.completions.create({ model, messages, stream: true }))
        delivered += chunk.choices[0]?.delta.content ?? ''
    })
    assert.ok(delivered.length > 50 * sentence.length, 'much was delivered before the end')
    const row = await rowOf(model)
    near(row.completion_tokens, countTokens(delivered))
    assert.equal(row.usage_source, 'estimated')
    // OpenAI says nothing before the end; the others had told what they read.
    if (provider === 'openai') near(row.prompt_tokens, countTokens(question))
    assert.ok(row.status_code >= 500)
    assert.equal(Number(row.input_cost), (row.prompt_tokens * 2) / 1e6)
    assert.equal(Number(row.output_cost), (row.completion_tokens * 10) / 1e6)
  })
}

test('a client that leaves is charged for what was sent', async () => {
  const model = 'gpt-4.1-mini'
  fake.script('openai', { repeat: { text: sentence, times: 2_000 }, chunkEveryMs: 2 })
  const messages = [{ role: 'user' as const, content: question }]
  const stream = await openai.chat.completions.create({ model, messages, stream: true })
  const chunks = stream[Symbol.asyncIterator]()
  for (let received = 0; received < 50; received++) await chunks.next()
  stream.controller.abort()
  const row = await rowOf(model)
  assert.deepEqual([row.status_code, row.usage_source], [499, 'estimated'])
  near(row.prompt_tokens, countTokens(question))
  assert.ok(row.completion_tokens >= countTokens(sentence) * 40)
})

test('a whole response without usage is counted from its text, and priced', async () => {
  const model = exampleModels.openrouter
  const prices = { input_price_per_1m: '2', output_price_per_1m: '10' }
  await product.call(`/api/v1/pricing/${model}`, { key: product.key, method: 'PUT', json: prices })
  const message = { role: 'assistant', content: sentence.repeat(50) }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  fake.script('openrouter', {
    body: { json: { id: 'x', object: 'chat.completion', created: 1, model, choices } },
  })
  await openai.chat.completions.create({ model, messages: [{ role: 'user', content: question }] })
  const row = await rowOf(model)
  assert.deepEqual([row.status_code, row.usage_source], [200, 'estimated'])
  near(row.prompt_tokens, countTokens(question))
  near(row.completion_tokens, countTokens(message.content))
  assert.equal(Number(row.input_cost), (row.prompt_tokens * 2) / 1e6)
  assert.equal(Number(row.output_cost), (row.completion_tokens * 10) / 1e6)
})

function near(counted: number, expected: number): void {
  assert.ok(Math.abs(counted - expected) / expected < 0.03, `${counted} is not about ${expected}`)
}
