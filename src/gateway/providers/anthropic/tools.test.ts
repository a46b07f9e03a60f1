import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchangeOf, upstreamOf } from '../../chat/testing.ts'
import { anthropic } from './index.ts'

const model = 'claude-haiku-5-5'
const hello = [{ role: 'user', content: 'hello' }]
const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }

const upstream = (body: object) => upstreamOf(anthropic, { model, messages: hello, ...body })
const dropped = (body: object) => exchangeOf(anthropic, { model, messages: hello, ...body }).dropped

test('the choice of tools is translated, and one call at a time can be asked for', () => {
  const choice = (tool_choice: unknown, more: object = {}) =>
    upstream({ tools: [weather], tool_choice, ...more })['tool_choice']
  assert.equal(choice(undefined), undefined)
  assert.deepEqual(choice('auto'), { type: 'auto' })
  assert.deepEqual(choice('none', { parallel_tool_calls: false }), { type: 'none' })
  assert.deepEqual(choice('required'), { type: 'any' })
  const named = { type: 'function', function: { name: 'get_weather' } }
  const single = { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true }
  assert.deepEqual(choice(named, { parallel_tool_calls: false }), single)
  const one = { type: 'auto', disable_parallel_tool_use: true }
  assert.deepEqual(choice(null, { parallel_tool_calls: false }), one)
  const other = { type: 'function', function: { name: 'other' } }
  const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [other] } }
  const filtered = upstream({ tools: [weather, other], tool_choice: allowed })
  assert.deepEqual(filtered['tools'], [{ name: 'other', input_schema: { type: 'object', properties: {} } }])
  assert.deepEqual(filtered['tool_choice'], { type: 'any' })
  assert.equal(upstream({ tools: [], tool_choice: 'auto' })['tool_choice'], undefined)
})

test('tools keep description, cache mark and strictness; names are made to fit', () => {
  const parameters = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] }
  const tools = [
    {
      type: 'function',
      function: { name: 'a.b', description: 'does it', parameters, strict: true },
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
    { type: 'function', function: { name: 'a_b', strict: true, parameters: { type: 'object' } } },
  ]
  assert.deepEqual(upstream({ tools })['tools'], [
    {
      name: 'a_b_2',
      description: 'does it',
      input_schema: {
        type: 'object',
        properties: { n: { type: 'integer', description: 'Must satisfy: minimum 1.' } },
        required: ['n'],
        additionalProperties: false,
      },
      strict: true,
      cache_control: { type: 'ephemeral', ttl: '1h' },
    },
    { name: 'a_b', input_schema: { type: 'object' } },
  ])
  assert.deepEqual(dropped({ tools }), ['tools.function.strict'])
})

test('JSON output: a schema is compiled into the enforced subset, an object is asked for in words', () => {
  const schema = {
    $schema: 'x',
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: '^a', format: 'email' },
      one: { oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }], description: 'which' },
      list: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: true } },
    },
  }
  const before = structuredClone(schema)
  const response_format = { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } }
  assert.deepEqual(upstream({ response_format })['output_config'], {
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          pattern: { type: 'string', format: 'email', description: 'Must satisfy: pattern "^a".' },
          one: {
            anyOf: [{ type: 'string', description: 'Must satisfy: maxLength 3.' }, { type: 'null' }],
            description: 'which',
          },
          list: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false } },
        },
        additionalProperties: false,
      },
    },
  })
  assert.deepEqual(schema, before, 'the client’s own schema is not touched')
  assert.deepEqual(upstream({ response_format: { type: 'json_object' } })['system'], [
    {
      type: 'text',
      text: 'Answer with one JSON object and nothing else: no text around it and no code fence.',
    },
  ])
})

test('a web search is offered as Anthropic’s own tool', () => {
  const web_search_options = { user_location: { type: 'approximate', approximate: { country: 'DE' } } }
  assert.deepEqual(upstream({ web_search_options })['tools'], [
    {
      type: 'web_search_20250305',
      name: 'web_search',
      user_location: { country: 'DE', type: 'approximate' },
    },
  ])
})
