import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAnywhere, randomNumbers, readAll } from '../../chat/testing.ts'
import { arrayOf, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import { ask, collect, messageOf } from './testing.ts'

const reader = () => ask({ stream: true }).stream()
const frame = (delta: JsonObject, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-7', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const done = 'data: [DONE]\n\n'

const said = (content: string) => ({ content })
const thought = (reasoning: string) => ({ reasoning })
const piece = (index: number, text: string, id?: string) => {
  const head = id === undefined ? {} : { id, type: 'function' }
  return { tool_calls: [{ index, ...head, function: { name: id && 'look', arguments: text } }] }
}
const annotation = (page: string, start: number, end: number) => ({
  type: 'url_citation',
  url_citation: { url: `https://${page}.example`, title: page, start_index: start, end_index: end },
})
const sources = (...annotations: object[]) => ({ annotations })
const citation = (page: string, text: string) => ({
  type: 'web_search_result_location',
  url: `https://${page}.example`,
  title: page,
  cited_text: text,
  encrypted_index: '',
})

const rome = annotation('a', 0, 4)
const old = annotation('b', 8, 11)
const both = [citation('a', 'Rome'), citation('b', 'old')]
const text = (words: string, citations: unknown[] | null = null) => ({ type: 'text', text: words, citations })
const use = { type: 'tool_use', id: 'c', name: 'look', input: { a: 1 }, caller: { type: 'direct' } }

/** The message that a stream of these deltas becomes; the last delta comes with the finish reason. */
function streamed(deltas: readonly JsonObject[], finish = 'stop'): JsonObject {
  const frames = deltas.map((delta, index) => frame(delta, index === deltas.length - 1 ? finish : null))
  return collect(readAll(reader(), [Buffer.from(frames.join('') + done)]))
}

const citationsIn = (content: unknown): unknown[] =>
  arrayOf(content).flatMap((block) => arrayOf(objectOf(block)['citations']))

const cases: [when: string, deltas: JsonObject[], content: unknown[]][] = [
  ['after the text', [said('Rome '), said('is old.'), sources(rome, old), {}], [text('Rome is old.', both)]],
  ['with the reason of the end', [said('Rome is old.'), sources(rome, old)], [text('Rome is old.', both)]],
  ['before the text', [sources(rome, old), said('Rome '), said('is old.'), {}], [text('Rome is old.', both)]],
  [
    'within the text, before all of it is said',
    [said('Ro'), sources(rome), said('me is'), sources(old), said(' old.'), {}],
    [text('Rome is old.', both)],
  ],
  [
    'before the text, with thoughts between',
    [sources(rome, old), said('Rome is'), thought('hm'), said(' old.'), {}],
    [text('Rome is', [citation('a', 'Rome')]), 'thinking', text(' old.', [citation('b', 'old')])],
  ],
  [
    'after a call that followed the text',
    [said('Rome is old.'), piece(0, '{"a":1}', 'c'), sources(rome, old), {}],
    [text('Rome is old.'), use, text('', both)],
  ],
  [
    'between the pieces of a call, with words after it',
    [said('Rome is'), piece(0, '{"a"', 'c'), sources(rome, old), piece(0, ':1}'), said(' old.'), {}],
    [text('Rome is'), use, text(' old.', both)],
  ],
  [
    'between the pieces of a call that ends the response',
    [said('Rome is old.'), piece(0, '{"a"', 'c'), sources(rome, old), piece(0, ':1}'), {}],
    [text('Rome is old.'), use, text('', both)],
  ],
  [
    'with words that wait for the end of a call',
    [piece(0, '{"a"', 'c'), { ...said('Rome is old.'), ...sources(rome, old) }, piece(0, ':1}'), {}],
    [use, text('Rome is old.', both)],
  ],
  [
    'after thoughts that followed the text',
    [said('Rome is old.'), thought('hm'), sources(rome, old), {}],
    [text('Rome is old.'), 'thinking', text('', both)],
  ],
  [
    'for more text than there is',
    [said('Rome'), sources(annotation('a', 0, 99)), {}],
    [text('Rome', [citation('a', 'Rome')])],
  ],
]

for (const [when, deltas, expected] of cases) {
  test(`sources that come ${when} are delivered, with the text where that is still possible`, () => {
    const { content } = streamed(deltas)
    const blocks = arrayOf(content).map((block) =>
      objectOf(block)['type'] === 'thinking' ? 'thinking' : block,
    )
    assert.deepEqual(blocks, expected)
    assert.deepEqual(citationsIn(content), citationsIn(whole(deltas)['content']))
  })
}

test('sources without any text, or of an unknown type, start no block', () => {
  const call = piece(0, '{"a":1}', 'c')
  assert.deepEqual(streamed([sources(rome), call, {}])['content'], [use])
  assert.deepEqual(streamed([said('Rome'), call, sources({ type: 'file' }), {}])['content'], [
    text('Rome'),
    use,
  ])
})

/** The same response without streaming. */
function whole(deltas: readonly JsonObject[]): JsonObject {
  const calls = new Map<unknown, { id: string; function: { name: string; arguments: string } }>()
  for (const part of deltas.flatMap((delta) => arrayOf(delta['tool_calls'])).map(objectOf)) {
    const { name, arguments: more } = objectOf(part['function'])
    const call = calls.get(part['index']) ?? {
      id: stringOf(part['id']),
      function: { name: stringOf(name), arguments: '' },
    }
    call.function.arguments += stringOf(more)
    calls.set(part['index'], call)
  }
  const message = {
    content: deltas.map((delta) => stringOf(delta['content'])).join(''),
    reasoning: deltas.map((delta) => stringOf(delta['reasoning'])).join(''),
    annotations: deltas.flatMap((delta) => arrayOf(delta['annotations'])),
    tool_calls: [...calls.values()],
  }
  return messageOf({ choices: [{ message, finish_reason: 'stop' }] })
}

test('text, and a call after it, go out at once, whether sources follow or not', () => {
  const own = reader()
  const push = (delta: JsonObject) => String(own.push(Buffer.from(frame(delta))))
  assert.match(push(said('Rome')), /"text":"Rome"/)
  const open = push(said(' is old.'))
  assert.match(open, /"text":" is old\."/)
  assert.doesNotMatch(open, /content_block_stop/)
  assert.match(push(sources(rome)), /"citations_delta".*https:\/\/a\.example/)
  assert.match(push(piece(0, '{"a"', 'c')), /content_block_stop[^]*"partial_json":"{\\"a\\""/)
})

test('however text, thoughts, calls and sources are mixed and cut, the events are in order and no source is lost', () => {
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomNumbers(seed)
    const deltas = mixed(random)
    const bytes = Buffer.from([...deltas.map((delta) => frame(delta)), frame({}, 'stop'), done].join(''))
    // Fails on any event that is out of order.
    const streamed = collect(readAll(reader(), cutAnywhere(bytes, random)))
    const plain = whole(deltas)
    assert.deepEqual(citationsIn(streamed['content']), citationsIn(plain['content']), `seed ${seed}`)
    assert.equal(wordsIn(streamed['content']), wordsIn(plain['content']), `seed ${seed}`)
    assert.deepEqual(callsIn(streamed['content']), callsIn(plain['content']), `seed ${seed}`)
  }
})

const wordsIn = (content: unknown) =>
  arrayOf(content)
    .map((block) => stringOf(objectOf(block)['text']))
    .join('')
const callsIn = (content: unknown) =>
  arrayOf(content).filter((block) => objectOf(block)['type'] === 'tool_use')

/** Deltas of a response with a text in it, in any order; the pieces of a call keep theirs. */
function mixed(random: (below: number) => number): JsonObject[] {
  const deltas: JsonObject[] = []
  const open: number[] = []
  let calls = 0
  for (let count = 2 + random(10); count > 0; count--) {
    const kind = random(5)
    if (kind === 0) deltas.push(said('word '.repeat(1 + random(3))))
    else if (kind === 1) deltas.push(thought('hm '))
    else if (kind === 2) {
      deltas.push(piece(calls, '{"a"', `call_${calls}`))
      open.push(calls++)
    } else if (kind === 3) {
      const index = open.shift()
      if (index !== undefined) deltas.push(piece(index, ':1}'))
    } else {
      const start = random(20)
      deltas.push(sources(annotation(`page${deltas.length}`, start, start + random(20))))
    }
  }
  deltas.splice(random(deltas.length + 1), 0, said('Rome is old.'))
  return [...deltas, ...open.map((index) => piece(index, ':1}'))]
}
