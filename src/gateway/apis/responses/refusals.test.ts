import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '#kernel/errors'
import { anthropic } from '../../providers/anthropic/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
import { readBody } from '../../request/body.ts'
import { responses } from './index.ts'
import { chatServer, exchangeOf } from './testing.ts'

function refusalOf(body: object, provider?: Parameters<typeof exchangeOf>[1]): Fault {
  try {
    exchangeOf(body, provider)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error(`${JSON.stringify(body)} was not refused`)
}

const item = (value: unknown) => ({ input: [value] })
const part = (value: unknown) => item({ role: 'user', content: [value] })

test('what cannot be honoured is refused with 400 and its name', () => {
  const cases: [object, string][] = [
    [{ input: undefined }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: [] }, 'input'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ background: true }, 'background'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ stop: ['a'] }, 'stop'],
    [{ messages: [] }, 'messages'],
    [{ max_tokens: 5 }, 'max_tokens'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ instructions: [] }, 'instructions'],
    [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', schema: {} } } }, 'text.format.name'],
    [{ reasoning: 'high' }, 'reasoning'],
    [{ include: 'all' }, 'include'],
    [{ top_logprobs: 21 }, 'top_logprobs'],
    [{ tools: [{ type: 'function', name: 'a' }, { type: 'web_search' }] }, 'tools[1].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'mcp' }] }] }, 'tools[0].tools[0].type'],
    [{ tools: [{ type: 'namespace', tools: [] }] }, 'tools[0].name'],
    [{ input: [{ type: 'additional_tools', tools: 5 }] }, 'input[0].tools'],
    [{ input: [{ type: 'additional_tools', tools: [{ type: 'shell' }] }] }, 'input[0].tools[0].type'],
    [{ tool_choice: 'perhaps' }, 'tool_choice'],
    [{ tool_choice: { type: 'file_search' } }, 'tool_choice.type'],
    [{ tool_choice: { type: 'allowed_tools', mode: 'never', tools: [] } }, 'tool_choice.mode'],
    [item('text'), 'input[0]'],
    [item({ type: 'item_reference', id: 'msg_1' }), 'input[0].type'],
    [item({ type: 'web_search_call', id: 'ws_1' }), 'input[0].type'],
    [item({ content: 'Hello' }), 'input[0].type'],
    [item({ role: 'tool', content: 'Hello' }), 'input[0].role'],
    [item({ role: 'user', content: null }), 'input[0].content'],
    [item({ type: 'function_call', call_id: 'a', name: 'b' }), 'input[0].arguments'],
    [item({ type: 'function_call_output', output: 'a' }), 'input[0].call_id'],
    [item({ type: 'function_call_output', call_id: 'a' }), 'input[0].output'],
    [part({ type: 'text', text: 'a' }), 'input[0].content[0].type'],
    [part({ type: 'input_image', file_id: 'file_1' }), 'input[0].content[0].file_id'],
    [part({ type: 'input_image' }), 'input[0].content[0].image_url'],
    [part({ type: 'input_file', file_id: 'file_1' }), 'input[0].content[0].file_id'],
    [part({ type: 'input_file', filename: 'a' }), 'input[0].content[0].file_data'],
  ]
  for (const [body, field] of cases) {
    const { status, param } = refusalOf(body)
    assert.deepEqual([status, param], [400, field], JSON.stringify(body))
  }
})

test('a reference to a stored item says what to do instead', () => {
  const { message } = refusalOf(item({ type: 'item_reference', id: 'msg_1' }))
  assert.match(message, /store: false/)
})

test('what a provider refuses is reported by the field names that the client used', () => {
  const model = 'claude-sonnet-5-5'
  const picture = { type: 'input_image', image_url: 'ftp://a.example/b.png' }
  const input = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Yes' },
    { role: 'assistant', content: 'and no' },
    { role: 'user', content: [picture] },
  ]
  const image = refusalOf({ model, input, instructions: 'See' }, anthropic)
  assert.deepEqual([image.param, image.message], ['input[3]', 'input[3] must be an https or a data URL.'])
  const lonely = { type: 'function_call', call_id: 'a', name: 'b', arguments: '{}' }
  const call = refusalOf({ model, input: [{ role: 'user', content: 'Hello' }, lonely] }, anthropic)
  assert.equal(call.param, 'input[1]')
  assert.match(call.message, /^input\[1\] has calls that no tool message answers: a\./)
  const limit = refusalOf({ model, max_output_tokens: 0 }, anthropic)
  assert.deepEqual(
    [limit.param, limit.message],
    ['max_output_tokens', 'max_output_tokens must be at least 1.'],
  )
  const effort = refusalOf({ model, reasoning: { effort: 'huge' } }, anthropic)
  assert.equal(effort.param, 'reasoning.effort')
  const twice = { type: 'function', name: 'find', parameters: {} }
  const tools = [{ type: 'namespace', name: 'crm', tools: [twice, twice] }]
  const named = refusalOf({ model, tools }, anthropic)
  assert.equal(named.param, 'tools[0].tools[1].name')
  assert.equal(named.message, 'tools[0].tools[1].name is used by another tool.')
  const format = refusalOf({ model: 'sonar-pro', text: { format: { type: 'json_object' } } }, perplexity)
  assert.equal(format.param, 'text.format.type')
  assert.match(format.message, /^text\.format/)
})

test('a nesting too deep to be written is refused and not a failure of ours', () => {
  const depth = 20_000
  const schema = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`
  const format = `{"type":"json_schema","name":"deep","schema":${schema}}`
  const raw = Buffer.from(`{"model":"acme-1","input":"a","text":{"format":${format}}}`)
  assert.throws(
    () => responses.exchange(chatServer, responses.read(readBody(raw), {})),
    (fault) => fault instanceof Fault && fault.status === 400,
  )
})
