import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '#test/rounds'
import { gemini } from '../providers/gemini/index.ts'
import type { Provider } from '../provider.ts'
import { anthropic } from '../providers/anthropic/index.ts'
import { exchangeOf, faultOf, randomNumbers } from './testing.ts'

const providers: [provider: Provider, model: string][] = [
  [anthropic, 'claude-haiku-5-5'],
  [gemini, 'gemini-3.8-flash'],
]
const user = { role: 'user', content: 'hello' }
const part = (value: unknown) => ({ messages: [user, { role: 'user', content: [value] }] })
const image = (image_url: unknown) => part({ type: 'image_url', image_url })
const calling = (...tool_calls: unknown[]) => ({ messages: [user, { role: 'assistant', tool_calls }] })
const call = (id: unknown, args: unknown = '{}') => ({ id, function: { name: 'x', arguments: args } })
const withResults = (...results: unknown[]) => ({
  messages: [user, { role: 'assistant', tool_calls: [call('a'), call('b')] }, ...results],
})
const result = (tool_call_id: unknown, content: unknown = 'done') => ({ role: 'tool', tool_call_id, content })
const tool = (value: object) => ({ messages: [user], tools: [{ type: 'function', function: value }] })

const table: [body: object, param: string][] = [
  [{}, 'messages'],
  [{ messages: 'hello' }, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: ['hello'] }, 'messages.0'],
  [{ messages: [user, null] }, 'messages.1'],
  [{ messages: [{ content: 'x' }] }, 'messages.0.role'],
  [{ messages: [{ role: 'function', content: 'x' }] }, 'messages.0.role'],
  [{ messages: [{ role: 'user', content: 7 }] }, 'messages.0.content'],
  [{ messages: [{ role: 'user', content: null }] }, 'messages.0.content'],
  [{ messages: [{ role: 'user', content: {} }] }, 'messages.0.content'],
  [{ messages: [{ role: 'system', content: ' ' }] }, 'messages'],
  [{ messages: [{ role: 'assistant', content: '' }] }, 'messages'],
  [{ messages: [user, { role: 'assistant', content: 5 }] }, 'messages.1.content'],
  [{ messages: [user, { role: 'assistant', content: 'x', refusal: 5 }] }, 'messages.1.refusal'],
  [
    { messages: [{ role: 'system', content: [{ type: 'file', file: { file_data: 'QQ==' } }] }] },
    'messages.0.content.0',
  ],
  [part('text'), 'messages.1.content.0'],
  [part({ text: 'no type' }), 'messages.1.content.0.type'],
  [part({ type: 'hologram' }), 'messages.1.content.0.type'],
  [part({ type: 'text', text: 1 }), 'messages.1.content.0.text'],
  [part({ type: 'text', text: 'x', cache_control: 'yes' }), 'messages.1.content.0.cache_control'],
  [image(null), 'messages.1.content.0.image_url'],
  [image({}), 'messages.1.content.0.image_url.url'],
  [image({ url: 'data:image/png;base64' }), 'messages.1.content.0.image_url'],
  [image({ url: 'data:image/png;base64,' }), 'messages.1.content.0.image_url'],
  [image({ url: 'data:image/png;base64,{not base64}' }), 'messages.1.content.0.image_url'],
  [image({ url: 'data:image/png,%E0%A4%A' }), 'messages.1.content.0.image_url'],
  [image({ url: 'data:application/zip;base64,QUJD' }), 'messages.1.content.0.image_url'],
  [image({ url: 'file:///etc/passwd' }), 'messages.1.content.0.image_url'],
  [image({ url: 'http://example.com/x.png' }), 'messages.1.content.0.image_url'],
  [image({ url: 'https://' }), 'messages.1.content.0.image_url'],
  [part({ type: 'file', file: { file_id: 'file-1' } }), 'messages.1.content.0.file.file_id'],
  [part({ type: 'file', file: {} }), 'messages.1.content.0.file.file_data'],
  [part({ type: 'input_audio', input_audio: { data: 'QQ==' } }), 'messages.1.content.0.input_audio.format'],
  [calling('x'), 'messages.1.tool_calls.0'],
  [{ messages: [user, { role: 'assistant', tool_calls: {} }] }, 'messages.1.tool_calls'],
  [calling({ id: 'a' }), 'messages.1.tool_calls.0.function'],
  [calling({ id: 'a', type: 'custom', custom: {} }), 'messages.1.tool_calls.0.type'],
  [calling({ id: 'a', function: {} }), 'messages.1.tool_calls.0.function.name'],
  [calling(call(undefined)), 'messages.1.tool_calls.0.id'],
  [calling(call('a', { an: 'object' })), 'messages.1.tool_calls.0.function.arguments'],
  [calling(call('a'), call('a')), 'messages.1.tool_calls.1.id'],
  [calling(call('a')), 'messages.1.tool_calls'],
  [withResults(result('a')), 'messages.1.tool_calls'],
  [withResults(result('a'), user), 'messages.1.tool_calls'],
  [withResults(result('a'), { role: 'assistant', content: 'so' }), 'messages.1.tool_calls'],
  [withResults(result('a'), result('b'), result('c')), 'messages.4.tool_call_id'],
  [withResults(result('a'), result('a')), 'messages.3.tool_call_id'],
  [withResults(result(9)), 'messages.2.tool_call_id'],
  [withResults(result('a', 9)), 'messages.2.content'],
  [{ messages: [user, result('a')] }, 'messages.1.tool_call_id'],
  [{ messages: [user, { role: 'assistant', function_call: {} }] }, 'messages.1.function_call'],
  [
    { messages: [user, { role: 'assistant', content: 'x', reasoning_details: 'x' }] },
    'messages.1.reasoning_details',
  ],
  [tool({}), 'tools.0.function.name'],
  [tool({ name: 'x', parameters: [] }), 'tools.0.function.parameters'],
  [tool({ name: 'x', description: 5 }), 'tools.0.function.description'],
  [{ messages: [user], tools: {} }, 'tools'],
  [{ messages: [user], tools: [{ type: 'custom', custom: {} }] }, 'tools.0.type'],
  [{ ...tool({ name: 'x' }), tool_choice: 'always' }, 'tool_choice'],
  [
    { ...tool({ name: 'x' }), tool_choice: { type: 'function', function: { name: 'y' } } },
    'tool_choice.function.name',
  ],
  [{ messages: [user], tool_choice: 'required' }, 'tool_choice'],
  [{ messages: [user], max_tokens: '100' }, 'max_tokens'],
  [{ messages: [user], max_completion_tokens: 0 }, 'max_completion_tokens'],
  [{ messages: [user], max_tokens: 1.5 }, 'max_tokens'],
  [{ messages: [user], temperature: 'hot' }, 'temperature'],
  [{ messages: [user], temperature: 3 }, 'temperature'],
  [{ messages: [user], top_p: -1 }, 'top_p'],
  [{ messages: [user], stop: 5 }, 'stop'],
  [{ messages: [user], stop: ['a', null] }, 'stop.1'],
  [{ messages: [user], n: 'two' }, 'n'],
  [{ messages: [user], n: 9 }, 'n'],
  [{ messages: [user], functions: [{}] }, 'functions'],
  [{ messages: [user], modalities: ['audio'] }, ''],
  [{ messages: [user], audio: { voice: 'x' } }, 'audio'],
  [{ messages: [user], response_format: 'json' }, 'response_format'],
  [{ messages: [user], response_format: { type: 'xml' } }, 'response_format.type'],
  [{ messages: [user], response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
  [
    { messages: [user], response_format: { type: 'json_schema', json_schema: {} } },
    'response_format.json_schema.schema',
  ],
  [{ messages: [user], reasoning_effort: 'huge' }, 'reasoning_effort'],
  [{ messages: [user], reasoning_effort: 'low', reasoning: { effort: 'high' } }, 'reasoning.effort'],
  [{ messages: [user], reasoning: 'much' }, 'reasoning'],
  [{ messages: [user], thinking: {} }, 'thinking.type'],
]

for (const [provider, model] of providers) {
  test(`${provider.name}: every kind of bad input is refused with the path of the field`, () => {
    for (const [body, param] of table) {
      const fault = faultOf(() => exchangeOf(provider, { model, ...body }))
      const details = `${JSON.stringify(body)}: ${fault.message} (${fault.param})`
      assert.equal(fault.status, 400, details)
      assert.equal(fault.code, 'invalid_request', details)
      if (param !== '') assert.equal(fault.param, param, details)
      assert.doesNotMatch(fault.message, /\[object|undefined|NaN/, details)
    }
  })

  test(`${provider.name}: an empty list of tool calls is no tool call`, () => {
    const messages = [user, { role: 'assistant', content: 'so', tool_calls: [] }, user]
    assert.doesNotThrow(() => exchangeOf(provider, { model, messages }))
  })

  test(`${provider.name}: a request nested beyond reason is refused, not a crash`, () => {
    const nest = (depth: number) => {
      let value: object = { type: 'object', properties: {} }
      for (let level = 0; level < depth; level++) value = { type: 'object', properties: { a: value } }
      return value
    }
    const deep = { type: 'json_schema', json_schema: { name: 'x', schema: nest(5000) } }
    const schema = faultOf(() => exchangeOf(provider, { model, messages: [user], response_format: deep }))
    assert.equal(schema.param, 'response_format.json_schema.schema')
    const text = '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)
    const history = [...calling(call('a', text)).messages, result('a')]
    assert.equal(faultOf(() => exchangeOf(provider, { model, messages: history })).status, 400)
  })

  test(`${provider.name}: any value in any place gives a request or a refusal, never another error`, () => {
    const random = randomNumbers(7)
    const values = [
      null,
      0,
      'x',
      '',
      true,
      [],
      {},
      [null],
      [{}],
      [[]],
      { type: 'text' },
      { type: 'function' },
    ]
    const whole = {
      messages: [
        { role: 'system', content: 'a', name: 'b' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image_url', image_url: { url: 'https://x.y/z' } },
          ],
        },
        {
          role: 'assistant',
          content: 'c',
          tool_calls: [
            { ...call('a'), type: 'function', extra_content: { google: { thought_signature: 's' } } },
          ],
          reasoning_details: [{ type: 'reasoning.text', text: 't', signature: 's', index: 0 }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'd', cache_control: { type: 'ephemeral' } },
      ],
      tools: [
        { type: 'function', function: { name: 'x', parameters: { type: 'object', properties: { a: {} } } } },
      ],
      tool_choice: { type: 'function', function: { name: 'x' } },
      response_format: {
        type: 'json_schema',
        json_schema: { schema: { type: 'object', properties: { a: { enum: [1] } } } },
      },
      reasoning: { effort: 'low', max_tokens: 2000 },
      thinking: { type: 'adaptive' },
      web_search_options: { user_location: { approximate: {} } },
      stop: ['x'],
      seed: 1,
    }
    for (let round = 0; round < rounds(500, 20_000); round++) {
      const body: Record<string, unknown> = { model, ...structuredClone(whole) }
      spoil(body, values, random)
      try {
        exchangeOf(provider, body)
      } catch (error) {
        assert.equal((error as { status?: number }).status, 400, `${JSON.stringify(body)}\n${String(error)}`)
      }
    }
  })
}

/** Puts one of the values in a random place of the tree. */
function spoil(
  tree: Record<string, unknown>,
  values: readonly unknown[],
  random: (below: number) => number,
): void {
  const keys = Object.keys(tree)
  const key = keys[random(keys.length)] ?? ''
  const below = tree[key]
  const isTree = typeof below === 'object' && below !== null && Object.keys(below).length > 0
  if (isTree && random(4) > 0) spoil(below as Record<string, unknown>, values, random)
  else if (key !== 'model') tree[key] = values[random(values.length)]
}
