import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { anthropic } from '../../providers/anthropic/index.ts'
import { randomNumbers } from '../../chat/testing.ts'
import { gemini } from '../../providers/gemini/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { openrouter } from '../../providers/openrouter/index.ts'
import type { Provider } from '../../providers/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
import { onlyFaults, spoiler } from '../../wire/testing-junk.ts'
import { readBody } from '../../request/body.ts'
import { messages } from './index.ts'
import { ask, chatStream, collect, plain } from './testing.ts'

const spoiled = spoiler(randomNumbers(7))
const marking: Provider = { ...openrouter, cachePlaces: () => ['text', 'tool', 'request'] }

const request = {
  model: 'own-model',
  max_tokens: 100,
  stream: false,
  system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
  metadata: { user_id: 'u' },
  temperature: 1,
  stop_sequences: ['x'],
  thinking: { type: 'enabled', budget_tokens: 2048, display: 'summarized' },
  output_config: {
    effort: 'low',
    format: { type: 'json_schema', schema: { type: 'object', properties: {} } },
  },
  tools: [{ name: 'f', description: 'd', input_schema: { type: 'object', properties: {} }, strict: true }],
  tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'document', title: 't', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: 'x',
          signature: 'signalbox.v1.eyJwcm92aWRlciI6Im93biIsImRldGFpbHMiOltdfQ',
        },
        { type: 'redacted_thinking', data: 'signalbox.v1.' },
        { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: 'd',
          is_error: true,
          cache_control: { type: 'ephemeral', ttl: '1h' },
        },
      ],
    },
  ],
}

const completion = {
  id: 'chatcmpl-1',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        content: 'a',
        refusal: 'r',
        reasoning: 'hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0, id: 'rs' }],
        annotations: [{ type: 'url_citation', url_citation: { url: 'u', start_index: 0, end_index: 1 } }],
        images: [{}],
        tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' }, extra_content: { a: 1 } }],
      },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
}

const deltas = [
  { role: 'assistant', content: '' },
  { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] },
  { content: 'a', annotations: [{ type: 'url_citation', url_citation: { url: 'u' } }], images: [{}] },
  {
    tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a"' }, extra_content: { a: 1 } }],
  },
  { tool_calls: [{ index: 1, id: 'd', function: { name: 'g', arguments: '{}' } }] },
  { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
  { refusal: 'r' },
]

test('whatever a client sends, every provider accepts or refuses it', () => {
  for (let round = 0; round < rounds(400, 15_000); round++) {
    const body = spoiled(request)
    for (const provider of [plain, anthropic, openai, gemini, perplexity, marking]) {
      onlyFaults(body, () => {
        const read = messages.read(readBody(Buffer.from(JSON.stringify(body))), {})
        messages.promptText(read)
        messages.exchange(provider, read)
      })
    }
  }
})

test('whatever a provider returns, the client gets a message or a fault', () => {
  for (let round = 0; round < rounds(400, 15_000); round++) {
    const said = spoiled(completion)
    onlyFaults(said, () => void ask({}).response(Buffer.from(JSON.stringify(said))))
  }
})

test('whatever a provider streams, the client gets a stream by the rules or a fault', () => {
  for (let round = 0; round < rounds(400, 15_000); round++) {
    const said = spoiled(deltas)
    if (!Array.isArray(said)) continue
    onlyFaults(said, () => {
      const reader = ask({ stream: true }).stream()
      const start = String(reader.push(chatStream(said, 'tool_calls')))
      collect(start + String(reader.end()))
    })
  }
})
