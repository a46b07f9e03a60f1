import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from '../../chat/testing.ts'
import { gemini } from '../../providers/gemini/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
import { readBody } from '../../request/body.ts'
import { messages } from './index.ts'
import { ask } from './testing.ts'

const user = { role: 'user', content: 'Hello' }
const weather = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}

test('a field that does not change the response is dropped and named', () => {
  const { dropped } = ask({
    system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    metadata: { user_id: 'someone' },
    thinking: { type: 'between_tools' },
    context_management: { edits: [] },
    speed: 'fast',
    tools: [{ ...weather, input_examples: [{}], eager_input_streaming: true }],
    messages: [
      user,
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'of another maker' }] },
      user,
    ],
  })
  assert.deepEqual(dropped.toSorted(), [
    'cache_control',
    'context_management',
    'messages.content.thinking',
    'metadata',
    'speed',
    'thinking',
    'tools.eager_input_streaming',
    'tools.input_examples',
  ])
})

test('what cannot be honoured is refused, and the field is named', () => {
  const content = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  const said = (block: object) => ({ messages: [user, { role: 'assistant', content: [block] }, user] })
  const cases: [body: object, param: string][] = [
    [{ max_tokens: undefined }, 'max_tokens'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: '1' }, 'max_tokens'],
    [{ temperature: 1.5 }, 'temperature'],
    [{ container: 'c' }, 'container'],
    [{ mcp_servers: [{ url: 'x' }] }, 'mcp_servers'],
    [{ inference_geo: 'eu' }, 'inference_geo'],
    [{ tools: [weather, { type: 'web_search_20250305', name: 'web_search' }] }, 'tools.1.type'],
    [{ tools: [{ name: 'a' }] }, 'tools.0.input_schema'],
    [{ tools: [{ ...weather, allowed_callers: ['code_execution_20260120'] }] }, 'tools.0.allowed_callers'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ tools: [weather], tool_choice: { type: 'some' } }, 'tool_choice.type'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ thinking: { type: 'hard' } }, 'thinking.type'],
    [{ output_config: { effort: 'some' } }, 'output_config.effort'],
    [{ output_config: { format: { type: 'text' } } }, 'output_config.format.type'],
    [{ service_tier: 'gold' }, 'service_tier'],
    [{ system: [{ type: 'image', source: { type: 'url', url: 'https://a.example' } }] }, 'system.0'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: [] }] }, 'messages.0.content'],
    [{ messages: [user, { role: 'assistant', content: 'I shall' }] }, 'messages.1'],
    [content({ type: 'container_upload', file_id: 'f' }), 'messages.0.content.0.type'],
    [content({ type: 'image', source: { type: 'file', file_id: 'f' } }), 'messages.0.content.0.source.type'],
    [content({ type: 'tool_result', content: 'x' }), 'messages.0.content.0.tool_use_id'],
    [said({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }), 'messages.1.content.0.type'],
    [said({ type: 'tool_use', id: 'a', name: 'weather', input: 'x' }), 'messages.1.content.0.input'],
  ]
  for (const [body, param] of cases) {
    const fault = faultOf(() => ask({ ...body }))
    assert.deepEqual([fault.status, fault.param], [400, param], fault.message)
    assert.ok(fault.message.includes(param), fault.message)
  }
})

test("a provider's refusal of the chat request is reported with the names of the Messages API", () => {
  const stopped = faultOf(() => ask({ stop_sequences: ['HALT'] }, perplexity))
  assert.equal(stopped.param, 'stop_sequences')
  assert.match(stopped.message, /^stop_sequences is not supported/)
  const withoutResults = [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
    user,
  ]
  const fault = faultOf(() => ask({ system: 'x', tools: [weather], messages: withoutResults }, gemini))
  assert.equal(fault.param, 'messages.1')
  assert.match(fault.message, /^messages\.1 has calls/)
  const twice = faultOf(() => ask({ tools: [weather, weather] }, gemini))
  assert.deepEqual([twice.param, twice.message], ['tools.1.name', 'tools.1.name is used by another tool.'])
})

test('requests that only nest are refused, not fatal', () => {
  const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
  const said = `"max_tokens":1,"messages":[{"role":"user","content":"Hello"}]`
  const raw = `{"model":"gpt-6-sol",${said},"output_config":{"format":{"type":"json_schema","schema":${deep}}}}`
  const fault = faultOf(() => messages.exchange(openai, messages.read(readBody(Buffer.from(raw)), {})))
  assert.equal(fault.status, 400)
  assert.match(fault.message, /nested/)
})
