/** Lines that no assistant writes, or hardly ever: what is around them is stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claudeCode } from '../../src/transcripts/assistants/claude-code/index.ts'
import { startProduct } from '../harness/product.ts'
import { Derived, readLines } from './derive.ts'
import { get, lineOf, sendFile, sessions, show } from './archive.ts'
import { at } from './sample.ts'

const server = await startProduct()
const pathOf = (id: string) => `projects/-home-dev-shop/${id}.jsonl`
const prompt = (uuid: string, content: string, timestamp: string) =>
  JSON.stringify({ type: 'user', uuid, timestamp, promptSource: 'typed', message: { role: 'user', content } })

/** A tool call whose input is nested. */
function call(id: string, levels: number): string {
  const block = { type: 'tool_use', id, name: 'Draw', input: 'LEVELS' }
  const message = { id: `msg_${id}`, model: 'claude-opus-5', role: 'assistant', content: [block] }
  const input = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
  return JSON.stringify({ type: 'assistant', uuid: `a${id}`, timestamp: at(2), message }).replace(
    '"LEVELS"',
    input,
  )
}

test('a tool call whose input is nested too deeply is shown without it, and what follows is stored', async () => {
  const id = '11111111-7777-4777-8777-777777777777'
  const lines = [
    prompt('p1', 'draw', at(1)),
    call('t1', 100_000),
    call('t2', 6_000),
    call('t3', 2),
    prompt('p2', 'again', at(3)),
  ]
  await sendFile(server, { assistant: 'claude-code', path: pathOf(id), lines })
  const found = (await sessions(server)).find(({ external_id }) => external_id === id)
  const { messages } = await show(server, found?.id ?? '')
  const note = '(nested too deeply to be shown)'
  assert.deepEqual(
    messages.map((message) => [lineOf(message), message.tool_input, message.cut]),
    [
      ['user text human draw', null, false],
      ['assistant tool_call Draw', note, true],
      ['assistant tool_call Draw', note, true],
      ['assistant tool_call Draw', { a: { a: 1 } }, false],
      ['user text human again', null, false],
    ],
  )
})

test('a time in the last minutes of the year 9999 is stored, and its session is shown', async () => {
  const id = '22222222-7777-4777-8777-777777777777'
  const lines = [
    prompt('p1', 'a pterodactyl', '9999-12-31T23:58:00.000Z'),
    prompt('p2', 'another one', '9999-12-31T23:59:59.999Z'),
  ]
  await sendFile(server, { assistant: 'claude-code', path: pathOf(id), lines })
  const found = (await sessions(server)).find(({ external_id }) => external_id === id)
  const { session, messages } = await show(server, found?.id ?? '')
  assert.deepEqual(messages.map(lineOf), ['user text human a pterodactyl', 'user text human another one'])
  assert.deepEqual([session.ended_at, session.duration_seconds], ['9999-12-31T23:59:59.999Z', 119.999])
  const hits = (await get(server, '/api/transcripts/search?q=pterodactyl&sort=time&kind=text')).data
  assert.equal(hits.length, 1)
})

test('a command has the text between the marks of its arguments, however often the first mark is there', () => {
  const source = claudeCode.source(pathOf('33333333-7777-4777-8777-777777777777'))
  assert.ok(source)
  const name = '<command-name>/model</command-name>'
  const unended = '<command-args>'.repeat(150_000)
  const derived = new Derived()
  const texts = [
    `${name}<command-args>opus</command-args>`,
    name + unended,
    `${name + unended}x</command-args>`,
  ]
  readLines(
    claudeCode,
    source,
    texts.map((text, index) => prompt(`p${index}`, text, at(index))),
    derived,
  )
  const [short, bare, long, ...others] = derived.lines(source.sessionKey ?? '')
  assert.deepEqual([short, bare, others], ['user text human /model opus', 'user text human /model', []])
  assert.equal(long, `user text human /model ${'<command-args>'.repeat(149_999)}x`)
})
