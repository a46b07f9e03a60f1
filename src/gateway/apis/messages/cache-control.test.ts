import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from '../../chat/testing.ts'
import { gemini } from '../../providers/gemini/index.ts'
import { openai } from '../../providers/openai/index.ts'
import { openrouter } from '../../providers/openrouter/index.ts'
import { perplexity } from '../../providers/perplexity/index.ts'
import type { JsonObject } from '../../wire/json.ts'
import { ask, chatOf, plain } from './testing.ts'

const model = 'openrouter/anthropic/claude-opus-5.5'
const mark = { cache_control: { type: 'ephemeral' } }
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const user = { role: 'user', content: 'Hello' }
const text = (words: string, more: JsonObject = {}) => ({ type: 'text', text: words, ...more })
const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }
const pdf = { type: 'document', source: { type: 'url', url: 'https://a.example/c.pdf' } }
const read = { name: 'Read', input_schema: { type: 'object', properties: {} } }
const write = { ...read, name: 'Write' }
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: {} })

/** What OpenRouter is sent, and what is named as left out. */
function sent(body: JsonObject) {
  const whole = { model, ...body }
  return { chat: chatOf(whole, openrouter), dropped: ask(whole, openrouter).dropped }
}

/** The same for the blocks of one user message. */
function sentContent(...content: object[]) {
  const { chat, dropped } = sent({ messages: [{ role: 'user', content }] })
  return { messages: chat['messages'], dropped }
}

test('a request of a coding agent reaches OpenRouter with every mark for its cache', () => {
  const { chat, dropped } = sent({
    ...mark,
    system: [text('You write code.', long), text('The folder is /app.', mark)],
    tools: [read, { ...write, ...mark }],
    messages: [
      { role: 'user', content: [text('<reminder/>'), text('Read a and b', mark)] },
      { role: 'assistant', content: [text('Reading.', mark), call('a'), call('b')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'b', content: [text('two'), text('three')], ...mark },
        ],
      },
    ],
  })
  const called = (id: string) => ({ id, type: 'function', function: { name: 'Read', arguments: '{}' } })
  const target = (name: string) => ({ name, parameters: read.input_schema })
  assert.deepEqual(chat, {
    model: 'anthropic/claude-opus-5.5',
    messages: [
      { role: 'system', content: [text('You write code.', long), text('The folder is /app.', mark)] },
      { role: 'user', content: [text('<reminder/>'), text('Read a and b', mark)] },
      {
        role: 'assistant',
        content: [text('Reading.', mark)],
        tool_calls: [called('a'), called('b')],
      },
      { role: 'tool', tool_call_id: 'a', content: [text('one')] },
      { role: 'tool', tool_call_id: 'b', content: [text('two'), text('three', mark)] },
    ],
    max_tokens: 100,
    tools: [
      { type: 'function', function: target('Read') },
      { type: 'function', function: target('Write'), ...mark },
    ],
    ...mark,
  })
  assert.deepEqual(dropped, [])
})

test('a request without marks goes to OpenRouter as to any other', () => {
  const body = {
    system: [text('Be brief.'), text('Be kind.')],
    messages: [user, { role: 'assistant', content: [text('A'), text('B')] }, user],
  }
  assert.deepEqual(chatOf({ ...body, model }, openrouter)['messages'], chatOf(body)['messages'])
})

test('nothing but the marks changes as they move on, so that what was cached is found again', () => {
  const without = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'cache_control' ? undefined : each)))
  const conversation = (...places: JsonObject[]) => {
    const [first = {}, second = {}, third = {}] = places
    const { chat } = sent({
      system: [text('Be brief.'), text('Be kind.', mark)],
      messages: [
        { role: 'user', content: first === mark ? [text('Read', mark)] : 'Read' },
        { role: 'assistant', content: [text('One.'), text('Two.', second), call('a')] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'a', content: [text('x'), text('y')], ...third }],
        },
      ],
    })
    return without(chat)
  }
  assert.deepEqual(conversation(mark), conversation())
  assert.deepEqual(conversation({}, mark), conversation())
  assert.deepEqual(conversation({}, {}, mark), conversation())
})

test('a mark follows everything in its block, as long as the block ends with a text', () => {
  const found = {
    type: 'search_result',
    title: 'Page',
    source: 'https://a.example',
    content: [text('Found')],
  }
  const inside = { type: 'content', content: [text('One', long), text('Two')] }
  const { messages, dropped } = sentContent(
    text('Alone', mark),
    { ...found, ...mark },
    { type: 'document', title: 'Note', source: { type: 'text', data: 'Words' }, ...mark },
    { type: 'document', source: inside },
  )
  assert.deepEqual(messages, [
    {
      role: 'user',
      content: [
        text('Alone', mark),
        text('Page\nhttps://a.example'),
        text('Found', mark),
        text('Note\n\nWords', mark),
        text('One', long),
        text('Two'),
      ],
    },
  ])
  assert.deepEqual(dropped, [])
  assert.deepEqual(sentContent(text('Alone', mark)).messages, [
    { role: 'user', content: [text('Alone', mark)] },
  ])
})

test('a failed result keeps its mark; one with a picture only up to the picture, which is reported', () => {
  const result = { type: 'tool_result', tool_use_id: 'a', ...mark }
  const failed = sentContent({ ...result, content: 'no file', is_error: true })
  assert.deepEqual(failed.messages, [
    { role: 'tool', tool_call_id: 'a', content: [text('Error: no file', mark)] },
  ])
  const shown = sentContent({ ...result, content: [text('a chart'), image] })
  assert.deepEqual(shown.messages, [
    {
      role: 'tool',
      tool_call_id: 'a',
      content: [text('a chart'), text('(The rest of the result follows in the next message.)', mark)],
    },
    {
      role: 'user',
      content: [
        text('From the result of the tool call a:'),
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      ],
    },
  ])
  assert.deepEqual([failed.dropped, shown.dropped], [[], ['cache_control']])
})

test('a mark that OpenRouter has no place for is left out and named', () => {
  const blocks: object[] = [
    { ...image, ...mark },
    { ...pdf, ...mark },
    { type: 'document', source: { type: 'content', content: [text('a'), image] }, ...mark },
    { type: 'tool_result', tool_use_id: 'a', content: '', ...mark },
    { type: 'tool_result', tool_use_id: 'a', ...mark },
    { type: 'tool_result', tool_use_id: 'a', content: [text('a'), { ...image, ...mark }] },
  ]
  for (const block of blocks) {
    const { messages, dropped } = sentContent(text('See'), block)
    assert.doesNotMatch(JSON.stringify(messages), /cache_control/)
    assert.deepEqual(dropped, ['cache_control'], JSON.stringify(block))
  }
  const called = sent({ messages: [user, { role: 'assistant', content: [{ ...call('a'), ...mark }] }, user] })
  assert.doesNotMatch(JSON.stringify(called.chat), /cache_control/)
  assert.deepEqual(called.dropped, ['cache_control'])
  const blank = sent({ system: [text(' ', mark)] })
  const said = [{ role: 'user', content: [text('Hello')] }]
  assert.deepEqual([blank.chat['messages'], blank.dropped], [said, ['cache_control']])
})

test('what OpenRouter does not know of a mark is named, what is no mark is refused', () => {
  const { messages, dropped } = sentContent(
    text('a', { cache_control: { type: 'ephemeral', ttl: '1h', scope: 'global' } }),
  )
  assert.deepEqual(messages, [{ role: 'user', content: [text('a', long)] }])
  assert.deepEqual(dropped, ['cache_control.scope'])
  const wrong: [body: JsonObject, param: string][] = [
    [{ cache_control: 'yes' }, 'cache_control'],
    [{ cache_control: { type: 'forever' } }, 'cache_control.type'],
    [{ system: [text('a', { cache_control: [] })] }, 'system.0.cache_control'],
    [{ system: [text('a', { cache_control: { type: 'ephemeral', ttl: 5 } })] }, 'system.0.cache_control.ttl'],
    [{ tools: [{ ...read, cache_control: {} }] }, 'tools.0.cache_control.type'],
  ]
  for (const [body, param] of wrong) {
    const fault = faultOf(() => ask({ model, ...body }, openrouter))
    assert.deepEqual([fault.status, fault.param], [400, param])
  }
  const { chat, dropped: named } = sent({ cache_control: null })
  assert.deepEqual([Object.keys(chat), named], [['model', 'messages', 'max_tokens'], []])
})

test('OpenRouter is sent the marks that it heeds for the model, the others are named', () => {
  const all = { ...mark, system: [text('a', mark)], tools: [{ ...read, ...mark }] }
  const heeded = (name: string) => {
    const { chat, dropped } = sent({ ...all, model: name })
    const holders = Object.keys(chat).filter((field) =>
      JSON.stringify({ [field]: chat[field] }).includes('ephem'),
    )
    return [holders, dropped]
  }
  const everywhere = ['messages', 'tools', 'cache_control']
  assert.deepEqual(heeded(model), [everywhere, []])
  assert.deepEqual(heeded('openrouter/~anthropic/claude-fable-latest'), [everywhere, []])
  assert.deepEqual(heeded('openrouter/google/gemini-3.8-flash'), [['messages'], ['cache_control']])
  for (const other of ['openrouter/auto', 'openrouter/google/gemma-3', 'openrouter/deepseek/deepseek-v4']) {
    assert.deepEqual(heeded(other), [[], ['cache_control']])
    const { messages } = chatOf({ ...all, model: other }, openrouter)
    assert.deepEqual(messages, [{ role: 'system', content: 'a' }, user])
  }
})

test('a provider whose API has no marks gets none', () => {
  const body = {
    ...mark,
    system: [text('a', mark)],
    tools: [{ ...read, ...mark }],
    messages: [
      { role: 'user', content: [text('b', mark), text('c')] },
      { role: 'assistant', content: [text('d', mark), call('a')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'e', ...mark }] },
    ],
  }
  for (const [provider, name] of [
    [plain, 'own-model'],
    [openai, 'gpt-6-sol'],
    [openai, 'gpt-4.1'],
    [gemini, 'gemini-3.8-flash'],
    [perplexity, 'sonar'],
    [openrouter, 'openrouter/auto'],
  ] as const) {
    const exchange = ask({ ...body, model: name }, provider)
    assert.doesNotMatch(Buffer.from(exchange.body).toString(), /cache_control|ephemeral/, name)
    assert.ok(exchange.dropped.includes('cache_control'), name)
  }
})
