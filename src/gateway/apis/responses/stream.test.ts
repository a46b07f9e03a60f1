import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '#kernel/errors'
import { cut, readAll, readUntilFault } from '../../passthrough/testing.ts'
import { breaksAnywhere } from '../../chat/testing-breaks.ts'
import { SseParser } from '../../wire/sse.ts'
import { responses } from './index.ts'
import { chunks, exchangeOf } from './testing.ts'

interface Event {
  type: string
  sequence_number: number
  [field: string]: unknown
}

function eventsOf(stream: string): Event[] {
  return new SseParser().push(Buffer.from(stream)).map(({ event, data }, place) => {
    const parsed = JSON.parse(data) as Event
    assert.deepEqual([parsed.type, parsed.sequence_number], [event, place], 'named, and numbered from 0')
    return parsed
  })
}

const tools = [
  { type: 'function', name: 'weather', parameters: {} },
  { type: 'function', name: 'clock', parameters: {} },
  { type: 'custom', name: 'note' },
]

function streamed(deltas: readonly object[], finish?: string): Event[] {
  const reader = exchangeOf({ stream: true, tools }).stream()
  return eventsOf(readAll(reader, [chunks(deltas, finish)]).text)
}

/** An event in a line: what it is, where it belongs, what it brings. */
function line({ type, ...event }: Event): string {
  const item = event['item'] as { type: string } | undefined
  const part = event['part'] as { text?: string } | undefined
  const { delta, text, refusal, arguments: args, input } = event as Record<string, string | undefined>
  const said = [item?.type, part && `part ${part.text ?? ''}`, delta ?? text ?? refusal ?? args ?? input]
  const where = event['output_index'] as number | undefined
  return [type.replace('response.', ''), where, ...said]
    .filter((each) => each !== undefined)
    .join(' ')
    .trim()
}

interface Told {
  id: string
  output: Record<string, unknown>[]
  [field: string]: unknown
}

/** The response in an event: at the end, everything that was streamed. */
function responseIn(event: Event | undefined): Told {
  assert.ok(event)
  return event['response'] as Told
}

function outputOf(events: readonly Event[]): Told['output'] {
  return responseIn(events.at(-1)).output
}

const call = (index: number, id: string, name: string, args = '') => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
})
const more = (index: number, args: string) => ({ tool_calls: [{ index, function: { arguments: args } }] })

test('the end of the arguments names the tool', () => {
  const events = streamed([call(0, 'call_1', 'weather', '{}')], 'tool_calls')
  const done = events.find(({ type }) => type === 'response.function_call_arguments.done')
  assert.deepEqual([done?.['name'], done?.['arguments']], ['weather', '{}'])
})

test('the events come in the order of the API, and the last one repeats everything', () => {
  const events = streamed(
    [
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm' },
      { reasoning_content: '…' },
      { content: 'I ' },
      { content: 'look' },
      call(0, 'call_1', 'weather'),
      more(0, '{"city":'),
      more(0, '"Ulm"}'),
      call(1, 'call_2', 'clock', '{}'),
    ],
    'tool_calls',
  )
  assert.deepEqual(events.map(line), [
    'created',
    'in_progress',
    'output_item.added 0 reasoning',
    'reasoning_summary_part.added 0 part',
    'reasoning_summary_text.delta 0 Hm',
    'reasoning_summary_text.delta 0 …',
    'reasoning_summary_text.done 0 Hm…',
    'reasoning_summary_part.done 0 part Hm…',
    'output_item.done 0 reasoning',
    'output_item.added 1 message',
    'content_part.added 1 part',
    'output_text.delta 1 I',
    'output_text.delta 1 look',
    'output_text.done 1 I look',
    'content_part.done 1 part I look',
    'output_item.done 1 message',
    'output_item.added 2 function_call',
    'function_call_arguments.delta 2 {"city":',
    'function_call_arguments.delta 2 "Ulm"}',
    'function_call_arguments.done 2 {"city":"Ulm"}',
    'output_item.done 2 function_call',
    'output_item.added 3 function_call',
    'function_call_arguments.delta 3 {}',
    'function_call_arguments.done 3 {}',
    'output_item.done 3 function_call',
    'completed',
  ])
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  assert.deepEqual(outputOf(events), done)
  const { id, status, usage } = responseIn(events.at(-1))
  assert.equal(id, responseIn(events[0]).id)
  assert.equal(status, 'completed')
  assert.deepEqual(usage, {
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12,
  })
})

test('calls whose arguments come by turns do not mix', () => {
  const events = streamed([
    call(0, 'call_1', 'weather'),
    call(1, 'call_2', 'clock'),
    more(0, '{"a":'),
    more(1, '{"b":'),
    more(0, '1}'),
    more(1, '2}'),
    { content: 'Done' },
  ])
  assert.deepEqual(
    outputOf(events).map((item) => [item['type'], item['call_id'], item['arguments'], item['status']]),
    [
      ['function_call', 'call_1', '{"a":1}', 'completed'],
      ['function_call', 'call_2', '{"b":2}', 'completed'],
      ['message', undefined, undefined, 'completed'],
    ],
  )
})

test('the text of a custom tool comes when it is whole', () => {
  const events = streamed([call(0, 'call_1', 'note', '{"inp'), more(0, 'ut":"a \\"b\\""}')])
  assert.deepEqual(events.slice(2, -1).map(line), [
    'output_item.added 0 custom_tool_call',
    'custom_tool_call_input.delta 0 a "b"',
    'custom_tool_call_input.done 0 a "b"',
    'output_item.done 0 custom_tool_call',
  ])
})

test('a call without arguments has those of no argument', () => {
  const events = streamed([call(0, 'call_1', 'weather')])
  assert.equal(outputOf(events)[0]?.['arguments'], '{}')
  assert.ok(events.map(line).includes('function_call_arguments.delta 0 {}'))
})

test('a refusal, citations and images have their own events', () => {
  const cited = { url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
  const annotations = [{ type: 'url_citation', url_citation: cited }]
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const events = streamed([
    { content: 'Hi' },
    { annotations },
    { refusal: 'but ' },
    { refusal: 'no' },
    { images: [image] },
    { annotations },
  ])
  assert.deepEqual(events.slice(2, -1).map(line), [
    'output_item.added 0 message',
    'content_part.added 0 part',
    'output_text.delta 0 Hi',
    'output_text.annotation.added 0',
    'output_text.done 0 Hi',
    'content_part.done 0 part Hi',
    'content_part.added 0 part',
    'refusal.delta 0 but',
    'refusal.delta 0 no',
    'refusal.done 0 but no',
    'content_part.done 0 part',
    'output_item.done 0 message',
    'output_item.added 1 image_generation_call',
    'output_item.done 1 image_generation_call',
  ])
  const content = outputOf(events)[0]?.['content'] as { annotations?: unknown[] }[]
  const flat = { type: 'url_citation', start_index: 0, end_index: 2, url: 'https://a.example', title: 'A' }
  assert.deepEqual(content[0]?.annotations, [flat, flat], 'a late citation is in the whole output')
})

test('a stream that was cut off by its limit ends as incomplete', () => {
  const events = streamed([{ content: 'Hal' }], 'length')
  assert.equal(events.at(-1)?.type, 'response.incomplete')
  assert.deepEqual(responseIn(events.at(-1))['incomplete_details'], {
    reason: 'max_output_tokens',
  })
  assert.equal(outputOf(events)[0]?.['status'], 'incomplete')
  const half = streamed([call(0, 'call_1', 'weather', '{"city":"U')], 'length')
  assert.deepEqual(
    [outputOf(half)[0]?.['status'], outputOf(half)[0]?.['arguments']],
    ['incomplete', '{"city":"U'],
  )
})

test('a stream that says nothing is an empty text', () => {
  assert.deepEqual(streamed([]).slice(2, -1).map(line), [
    'output_item.added 0 message',
    'content_part.added 0 part',
    'output_text.done 0',
    'content_part.done 0 part',
    'output_item.done 0 message',
  ])
})

test('wherever the network cuts the stream, the events are the same', () => {
  const stream = chunks([
    { reasoning: 'Überlegung 🤔' },
    { content: 'Grüße ' },
    { content: '😀' },
    call(0, 'call_1', 'weather', '{"city":"Köln"}'),
  ])
  const readStream = (seed?: number) => {
    const reader = exchangeOf({ stream: true, tools }).stream()
    const { text, usage, delivered } = readAll(reader, seed === undefined ? [stream] : cut(stream, seed))
    const lines = eventsOf(text).map(line)
    return { lines, usage, delivered }
  }
  const expected = readStream()
  assert.match(expected.delivered, /Überlegung 🤔Grüße 😀/)
  for (let seed = 0; seed < 200; seed++) assert.deepEqual(readStream(seed), expected)
})

test('an error inside the stream, or its early end, is a fault after what came before', () => {
  const start =
    chunks([{ content: 'Hi' }])
      .toString()
      .split('\n\n')[0] ?? ''
  for (const [ending, message] of [
    ['data: {"error":{"message":"too busy","code":503}}\n\n', 'too busy'],
    ['', 'Acme ended the stream before the response was complete.'],
  ]) {
    const reader = exchangeOf({ stream: true }).stream()
    const { text, fault } = readUntilFault(reader, [Buffer.from(`${start}\n\n${ending}`)])
    assert.equal(eventsOf(text).map(line).at(-1), 'output_text.delta 0 Hi')
    assert.equal(fault.message, message)
    assert.equal(reader.delivered, 'Hi')
  }
})

test('a fault inside a stream is an error event, numbered behind every other', () => {
  const kind = { status: 503, code: 'unavailable', type: 'server_error' }
  const event = responses.faultEvent(new Fault(kind, 'too busy'), 'req_1', 7)
  assert.equal(
    event,
    'event: error\ndata: {"type":"error","sequence_number":7,"code":"unavailable","message":"too busy","param":null}\n\n',
  )
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const frames = chunks([
    { reasoning: 'Überlegung 🤔' },
    { content: 'Grüße ' },
    { content: '😀' },
    call(0, 'call_1', 'weather', '{"city":'),
    call(1, 'call_2', 'clock'),
    more(0, '"Köln"}'),
    { content: 'Well' },
  ])
    .toString()
    .split('\n\n')
  breaksAnywhere({
    reader: () => exchangeOf({ stream: true, tools }).stream(),
    events: frames.slice(0, -2).map((each) => `${each}\n\n`),
    error: 'data: {"error":{"message":"too busy","code":503}}\n\n',
    message: 'too busy',
  })
})
