import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { anthropic } from '../../providers/anthropic/index.ts'
import { randomNumbers } from '../../chat/testing.ts'
import { gemini } from '../../providers/gemini/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
import { onlyFaults, spoiler } from '../../wire/testing-junk.ts'
import { chatServer, exchangeOf } from './testing.ts'

const spoiled = spoiler(randomNumbers(23))

const sealed = Buffer.from(
  JSON.stringify({
    provider: 'acme',
    details: [{ type: 'reasoning.text', text: 'a', signature: 'b' }],
    extras: {},
  }),
).toString('base64url')

const request = {
  instructions: 'a',
  input: [
    { role: 'developer', content: 'a' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'a' },
        { type: 'input_image', image_url: 'https://x.example', detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
      ],
    },
    { type: 'reasoning', summary: [], encrypted_content: `signalbox.v1.${sealed}` },
    {
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'a' },
        { type: 'refusal', refusal: 'b' },
      ],
    },
    { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'b', name: 'g', input: 'x' },
    { type: 'function_call_output', call_id: 'a', output: 'x' },
    { type: 'custom_tool_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'a' }] },
  ],
  tools: [
    { type: 'function', name: 'f', parameters: {}, strict: true },
    { type: 'custom', name: 'g', format: { type: 'grammar', syntax: 'lark', definition: 'a' } },
    {
      type: 'namespace',
      name: 'n',
      description: 'd',
      tools: [{ type: 'function', name: 'h', parameters: {} }],
    },
  ],
  tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
  text: { format: { type: 'json_schema', name: 'n', schema: {}, strict: true }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  metadata: { a: 'b' },
  top_logprobs: 1,
  safety_identifier: 'a',
}

test('a spoiled request is understood or refused, never a failure of ours', () => {
  const models = new Map([
    ['acme-1', chatServer],
    ['claude-sonnet-5-5', anthropic],
    ['gemini-3.8-flash', gemini],
    ['sonar-pro', perplexity],
    ['gpt-6-sol', openai],
  ])
  for (const [model, provider] of models) {
    for (let round = 0; round < rounds(400, 15_000); round++) {
      const body = { ...(spoiled(request) as object), model }
      onlyFaults(body, () => exchangeOf(body, provider))
    }
  }
})

const call = {
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  extra_content: { a: 1 },
}
const message = {
  content: 'a',
  refusal: 'b',
  reasoning: 'c',
  reasoning_details: [{ type: 'reasoning.text', text: 'c', index: 0 }],
  tool_calls: [call, { ...call, index: 1, function: { name: 'g', arguments: '{"input":"x"}' } }],
  annotations: [
    { type: 'url_citation', url_citation: { url: 'a', title: 'b', start_index: 0, end_index: 1 } },
  ],
  images: [{ image_url: { url: 'data:image/png;base64,AA==' } }],
}
const choice = { index: 0, finish_reason: 'stop', logprobs: { content: [{ token: 'a' }] } }

test('a corrupt response or stream is translated as far as possible, or is a fault of the provider', () => {
  for (let round = 0; round < rounds(750, 30_000); round++) {
    const completion = spoiled({
      choices: [{ ...choice, message }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    })
    onlyFaults(completion, () => exchangeOf(request).response(Buffer.from(JSON.stringify(completion))))
    const chunks = [
      spoiled({ choices: [{ ...choice, finish_reason: null, delta: message }] }),
      spoiled({
        choices: [{ ...choice, delta: message }],
        usage: { prompt_tokens: 1, completion_tokens: 2 },
      }),
    ]
    onlyFaults(chunks, () => {
      const reader = exchangeOf({ ...request, stream: true }).stream()
      for (const chunk of chunks) reader.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))
      reader.push(Buffer.from('data: [DONE]\n\n'))
      reader.end()
    })
  }
})

test('a request of as many parts as a body may have is no failure of ours either', () => {
  const content = Array.from({ length: 49_000 }, () => ({ type: 'output_text', text: 'a' }))
  exchangeOf({ input: [{ role: 'assistant', content }] })
})
