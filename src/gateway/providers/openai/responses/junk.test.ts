import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { randomNumbers } from '../../../chat/testing.ts'
import { openrouter } from '../../openrouter/index.ts'
import { perplexity } from '../../perplexity/index.ts'
import type { Provider } from '../../../provider.ts'
import { requestOf } from '../../../passthrough/testing.ts'
import { onlyFaults, spoiler } from '../../../wire/testing-junk.ts'
import { openai } from '../index.ts'

const random = randomNumbers(11)
const spoiled = spoiler(random)

const request = {
  model: 'gpt-5.5-pro',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'https://x', detail: 'low' } },
        { type: 'file', file: { file_id: 'f' } },
      ],
    },
    {
      role: 'assistant',
      content: 'b',
      reasoning_details: [{ type: 'reasoning.encrypted', id: 'rs_1', data: 'd', index: 0 }],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'd' },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: {}, strict: true } }],
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
  },
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } },
  web_search_options: {
    search_context_size: 'low',
    user_location: { type: 'approximate', approximate: { country: 'DE' } },
  },
  stream_options: { include_usage: true },
  metadata: { a: 'b' },
}

const response = {
  id: 'resp_1',
  status: 'completed',
  incomplete_details: { reason: 'max_output_tokens' },
  output: [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'e' },
    { type: 'search_results', results: [{ id: 1, url: 'https://a', title: 'A' }] },
    {
      type: 'message',
      content: [
        {
          type: 'output_text',
          text: 'a[1]',
          annotations: [{ type: 'url_citation', url: 'u', start_index: 0, end_index: 1 }],
        },
      ],
    },
    { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
  ],
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 1 },
    output_tokens: 1,
    cost: { total_cost: 0.1 },
    tool_calls_details: { s: { invocation: 1 } },
  },
}

const events: unknown[] = [
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f' },
  },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: '{' },
  { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: 's' },
  { type: 'response.reasoning.search_results', results: [{ id: 1, url: 'https://a' }], thought: 't' },
  { type: 'response.output_text.delta', delta: 'a' },
  { type: 'response.completed', response },
]

const chunk = {
  choices: [
    {
      index: 0,
      delta: { content: 'a', tool_calls: [{ function: { arguments: '' } }] },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, cost: 1 },
  error: null,
}

test('a spoiled request is refused with 400 or sent on, whatever is wrong with it', () => {
  for (let round = 0; round < rounds(500, 20_000); round += 1) {
    const body = { ...(spoiled(request) as object), model: request.model }
    for (const [provider, model] of [
      [openai, 'gpt-5.5-pro'],
      [perplexity, 'sonar'],
    ] as [Provider, string][]) {
      onlyFaults(body, () => provider.chat(requestOf({ ...body, model })))
    }
  }
})

test('a spoiled answer is read or becomes a fault, plain and streamed', () => {
  for (let round = 0; round < rounds(250, 10_000); round += 1) {
    const body = spoiled(response)
    const stream = events
      .map((event) => `data: ${JSON.stringify(random(2) === 0 ? spoiled(event) : event)}\n\n`)
      .join('')
    const chunks = `data: ${JSON.stringify(spoiled(chunk))}\n\ndata: [DONE]\n\n`
    for (const [provider, model] of [
      [openai, 'gpt-5.5-pro'],
      [perplexity, 'sonar'],
      [openrouter, 'openrouter/a/b'],
    ] as [Provider, string][]) {
      const exchange = provider.chat(requestOf({ model, messages: [{ role: 'user', content: 'x' }] }))
      onlyFaults(body, () => exchange.response(Buffer.from(JSON.stringify(body))))
      const reader = exchange.stream()
      onlyFaults(stream + chunks, () => {
        reader.push(Buffer.from(provider === openrouter ? chunks : stream))
        reader.end()
      })
      assert.equal(typeof reader.delivered, 'string')
      onlyFaults(body, () => void provider.fault({ status: 400, headers: {}, body: JSON.stringify(body) }))
    }
  }
})
