import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestOf } from '../../../passthrough/testing.ts'
import { openai } from '../index.ts'

const hello = [{ role: 'user', content: 'Hello' }]

function translate(body: object): void {
  assert.equal(openai.chat(requestOf(body)).path, '/responses')
}

test('a field without a counterpart is refused by name', () => {
  const fields = {
    n: 2,
    stop: ['x'],
    logprobs: true,
    top_logprobs: 3,
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy' },
    functions: [{ name: 'f' }],
    function_call: 'auto',
  }
  for (const [param, value] of Object.entries(fields)) {
    assert.throws(() => translate({ model: 'gpt-5.5-pro', messages: hello, [param]: value }), {
      name: 'Fault',
      status: 400,
      code: 'invalid_request',
      param,
    })
  }
})

test('wrong types are refused with the path of the field, and nothing crashes', () => {
  const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
  const assistant = (more: object) => ({ messages: [{ role: 'assistant', ...more }] })
  const cases: [object, string][] = [
    [{ messages: 'hi' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: null }, 'messages'],
    [{ messages: ['hi'] }, 'messages.0'],
    [{ messages: [{ content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'function', name: 'f', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: '__proto__', content: 'x' }] }, 'messages.0.role'],
    [user(undefined), 'messages.0.content'],
    [user(5), 'messages.0.content'],
    [user([5]), 'messages.0.content.0'],
    [user([{ text: 'x' }]), 'messages.0.content.0.type'],
    [user([{ type: 'text' }]), 'messages.0.content.0.text'],
    [
      user([
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: 'https://x' },
      ]),
      'messages.0.content.1.image_url',
    ],
    [user([{ type: 'image_url', image_url: { url: 5 } }]), 'messages.0.content.0.image_url.url'],
    [
      user([{ type: 'image_url', image_url: { url: 'x', detail: 5 } }]),
      'messages.0.content.0.image_url.detail',
    ],
    [user([{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }]), 'messages.0.content.0'],
    [user([{ type: 'file', file: {} }]), 'messages.0.content.0.file'],
    [user([{ type: 'file', file: { file_id: 5 } }]), 'messages.0.content.0.file.file_id'],
    [assistant({ content: 5 }), 'messages.0.content'],
    [assistant({ content: [{ type: 'image_url', image_url: { url: 'x' } }] }), 'messages.0.content.0'],
    [assistant({ refusal: 5 }), 'messages.0.refusal'],
    [assistant({ audio: { id: 'x' } }), 'messages.0.audio'],
    [assistant({ function_call: { name: 'f' } }), 'messages.0.function_call'],
    [assistant({ reasoning_details: 'x' }), 'messages.0.reasoning_details'],
    [assistant({ tool_calls: {} }), 'messages.0.tool_calls'],
    [assistant({ tool_calls: [null] }), 'messages.0.tool_calls.0'],
    [assistant({ tool_calls: [{ function: {} }] }), 'messages.0.tool_calls.0.id'],
    [assistant({ tool_calls: [{ id: 'c' }] }), 'messages.0.tool_calls.0.function'],
    [
      assistant({ tool_calls: [{ id: 'c', function: { name: 'f', arguments: {} } }] }),
      'messages.0.tool_calls.0.function.arguments',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.tool_call_id'],
    [{ messages: [{ role: 'tool', tool_call_id: 'c' }] }, 'messages.0.content'],
    [{ tools: {} }, 'tools'],
    [{ tools: ['x'] }, 'tools.0'],
    [{ tools: [{ type: 'mcp' }] }, 'tools.0.type'],
    [{ tools: [{ type: 'function' }] }, 'tools.0.function'],
    [{ tools: [{ type: 'function', function: { name: 5 } }] }, 'tools.0.function.name'],
    [
      { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
      'tools.0.function.parameters',
    ],
    [{ tools: [{ type: 'function', function: { name: 'f', strict: 'yes' } }] }, 'tools.0.function.strict'],
    [{ tool_choice: 5 }, 'tool_choice'],
    [{ tool_choice: { type: 'function' } }, 'tool_choice.function'],
    [
      { tool_choice: { type: 'allowed_tools', allowed_tools: { tools: 5 } } },
      'tool_choice.allowed_tools.tools',
    ],
    [{ response_format: 'json' }, 'response_format'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x' } } },
      'response_format.json_schema.schema',
    ],
    [{ max_tokens: '5' }, 'max_tokens'],
    [{ reasoning_effort: 5 }, 'reasoning_effort'],
    [{ reasoning: 'high' }, 'reasoning'],
    [{ verbosity: 5 }, 'verbosity'],
    [{ web_search_options: 'x' }, 'web_search_options'],
    [{ web_search_options: { user_location: { type: 'exact' } } }, 'web_search_options.user_location.type'],
  ]
  for (const [more, param] of cases) {
    assert.throws(
      () => translate({ model: 'gpt-5.5-pro', messages: hello, ...more }),
      (error: { status?: number; param?: string; message: string }) =>
        error.status === 400 && error.param === param && error.message !== '',
      `${param}: ${JSON.stringify(more)}`,
    )
  }
})
