import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openai } from '../providers/openai/index.ts'
import { breaksAnywhere } from '../chat/testing-breaks.ts'
import { chunksOf, cut, readAll, readUntilFault, requestOf } from './testing.ts'

const finish = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n'
const usage =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n'
const done = 'data: [DONE]\n\n'

function content(text: string): string {
  return `data: {"id":"c","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}],"usage":null}\n\n`
}

function reader(wantsUsage = false) {
  const body = {
    model: 'gpt-4.1',
    messages: [],
    stream: true,
    ...(wantsUsage ? { stream_options: { include_usage: true } } : {}),
  }
  return openai.chat(requestOf(body)).stream()
}

function whole(...events: string[]): Uint8Array[] {
  return events.map((event) => Buffer.from(event))
}

test('a piece of whole events is handed on as the same object, without a copy', () => {
  const forwarding = reader()
  for (const piece of whole(
    content('a'),
    content('"usage" "error": {'),
    `${content('b')}${content('c')}`,
    ': keep-alive\n\n',
  )) {
    assert.equal(forwarding.push(piece), piece)
  }
})

test('the usage chunk is read for the meter, and shown only to a client that asked for it', () => {
  const events = whole(content('a'), finish, usage, done)
  const hidden = readAll(reader(false), events)
  assert.equal(hidden.text, content('a') + finish + done)
  assert.equal(hidden.usage?.output, 2)
  const shown = readAll(reader(true), events)
  assert.equal(shown.text, content('a') + finish + usage + done)
  assert.deepEqual(shown.usage, hidden.usage)
})

const report = '{"prompt_tokens":1,"completion_tokens":1}'
const said = '"index":0,"delta":{"content":"x"},"finish_reason":"stop"'
const places: [string, string, string][] = [
  ['beside text', `{"choices":[{${said}}],"usage":${report},"n":1.0}`, `{"choices":[{${said}}],"n":1.0}`],
  ['in the choice', `{"n":1.0,"choices":[{${said},"usage":${report}}]}`, `{"n":1.0,"choices":[{${said}}]}`],
  [
    'in an extension',
    `{"choices":[{${said}}],"x_groq":{"id":"r","usage":${report}}}`,
    `{"choices":[{${said}}],"x_groq":{"id":"r"}}`,
  ],
]
for (const [place, sent, shown] of places) {
  test(`usage ${place} is removed for a client that did not ask for it, and nothing else is`, () => {
    const head = 'id: 7\nevent: message\n'
    const events = whole(content('a'), `${head}data: ${sent}\r\n\r\n`, done)
    const hidden = readAll(reader(false), events)
    assert.equal(hidden.text, `${content('a')}${head}data: ${shown}\n\n${done}`)
    assert.deepEqual([hidden.usage?.uncached, hidden.usage?.output], [1, 1])
    assert.equal(readAll(reader(true), events).text, Buffer.concat(events).toString())
  })
}

test('the last usage wins; counts are replaced, never added', () => {
  const later = usage.replace('"completion_tokens":2', '"completion_tokens":9')
  assert.equal(readAll(reader(), whole(usage, later, finish, done)).usage?.output, 9)
})

test('comments pass to the client as they come', () => {
  const comment = ': OPENROUTER PROCESSING\n\n'
  assert.equal(
    readAll(reader(), whole(comment, content('a'), comment, finish, done)).text,
    comment + content('a') + comment + finish + done,
  )
})

test('an error event becomes a fault, and what came before it in the same piece is delivered first', () => {
  const error = 'data: {"error":{"message":"it broke","type":"server_error","code":null}}\n\n'
  const { text, fault } = readUntilFault(
    reader(),
    whole(content('a'), content('b') + error + content('never')),
  )
  assert.equal(text, content('a') + content('b'))
  assert.deepEqual([fault.status, fault.message], [502, 'it broke'])
  const alone = readUntilFault(reader(), whole(content('a'), error))
  assert.equal(alone.text, content('a'))
})

test('an error is an error in all its forms', () => {
  const forms = [
    'data: {"error":"text only"}\n\n',
    'event: error\ndata: {"message":"named event"}\n\n',
    'event: error\ndata: not even JSON\n\n',
    'data: {"choices":[],"error":{"code":502,"message":"chunk with error"}}\n\n',
    'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
  ]
  for (const form of forms) {
    const { text, fault } = readUntilFault(reader(), whole(content('a'), form, done))
    assert.equal(text, content('a'), form)
    assert.equal(fault.code, 'provider_error', form)
  }
  assert.equal(
    readAll(reader(), whole(content('a').replace('"id"', '"error":null,"id"'), finish, done)).usage,
    null,
  )
})

test('a stream cut short is a fault, never a success', () => {
  for (const events of [
    [],
    [content('a')],
    [content('a'), content('b').slice(0, 40)],
    [content('a'), finish.slice(0, -30)],
  ]) {
    const { fault } = readUntilFault(reader(), whole(...events))
    assert.deepEqual([fault.status, fault.code], [502, 'provider_error'])
    assert.match(fault.message, /before the response was complete/)
  }
})

test('only the end marker missing: it is added', () => {
  assert.equal(readAll(reader(), whole(content('a'), finish)).text, content('a') + finish + done)
  assert.equal(readAll(reader(), whole(content('a'), finish.trimEnd())).text, content('a') + finish + done)
  assert.equal(
    readAll(reader(), whole(content('a'), finish, 'data: [DONE]')).text,
    content('a') + finish + done,
  )
})

test('a page or a JSON error instead of a stream is a fault that tells what happened', () => {
  const page = readUntilFault(reader(), whole('<html>\n\n<body>challenge</body></html>'))
  assert.match(page.fault.message, /did not send a stream/)
  const json = readUntilFault(reader(), whole('{"error":{"message":"no credit",', '"code":402}}'))
  assert.deepEqual([json.text, json.fault.status, json.fault.message], ['', 402, 'no credit'])
})

test('what was delivered can be counted when usage never comes', () => {
  const call =
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":null}]}\n\n'
  const thought =
    'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"hm","reasoning_content":"hm"},"finish_reason":null}]}\n\n'
  const said = ['Zoë ', 'said "hi"\n', '\\', '{"usage":{}}', '🙂', '日本']
  const forwarding = reader()
  for (const piece of whole(...said.map(content), thought, call)) forwarding.push(piece)
  assert.equal(forwarding.usage, null)
  assert.equal(forwarding.delivered, `${said.join('')}hmf{}`)
})

test('an emoji whose halves come in two chunks is counted as one', () => {
  const forwarding = reader()
  for (const half of ['\\ud83d', '\\ude42'])
    forwarding.push(Buffer.from(content('x').replace('"x"', `"${half}"`)))
  assert.equal(forwarding.delivered, '🙂')
})

test('a long stream is counted whole though little of it is kept', () => {
  const forwarding = reader()
  for (let index = 0; index < 2000; index += 1) forwarding.push(Buffer.from(content(`word ${index} `)))
  assert.equal(forwarding.delivered, Array.from({ length: 2000 }, (_, index) => `word ${index} `).join(''))
})

test('wherever the network cuts the bytes, the client gets the same ones and the meter reads the same', () => {
  const crlf = (text: string) => text.replaceAll('\n', '\r\n')
  const text = [
    ': hello\n\n',
    content('Zoë 🙂 日本'),
    content('\\"usage\\":{ "error"'),
    finish,
    usage,
    done,
  ].join('')
  for (const stream of [text, crlf(text)]) {
    for (const wantsUsage of [false, true]) {
      const expected = readAll(reader(wantsUsage), [Buffer.from(stream)])
      assert.equal(chunksOf(expected.text).length, wantsUsage ? 4 : 3)
      for (let seed = 0; seed < 200; seed += 1) {
        assert.deepEqual(
          readAll(reader(wantsUsage), cut(Buffer.from(stream), seed)),
          expected,
          `seed ${seed}`,
        )
      }
    }
  }
})

test('one event of several megabytes in many pieces is joined once and forwarded', () => {
  const image = content('A'.repeat(4_000_000))
  const bytes = Buffer.from(image + finish + done)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 16_384) }, (_, index) =>
    bytes.subarray(index * 16_384, (index + 1) * 16_384),
  )
  assert.equal(readAll(reader(), pieces).text.length, bytes.length)
})

test('an event that never ends is refused before it fills the memory', () => {
  const forwarding = reader()
  const megabyte = Buffer.alloc(1024 * 1024, 'a')
  assert.throws(() => {
    for (let count = 0; count < 40; count += 1) forwarding.push(megabyte)
  }, /does not end/)
})

test('wherever an error stands and the bytes are cut, the client gets all that came before it', () => {
  const events = [': hello\n\n', content('Zoë 🙂'), content('日本'), usage, content('"error"'), finish, usage]
  const error = 'data: {"error":{"message":"it broke","code":null}}\n\n'
  breaksAnywhere({ reader, events, error, message: 'it broke' })
  breaksAnywhere({ reader: () => reader(true), events, error, message: 'it broke' })
})
