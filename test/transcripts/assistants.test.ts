/** The contract of the assistants' parsers, checked on a sample of each. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { assistants, type Assistant } from '../../src/transcripts/assistants/index.ts'
import { temporaryFolder } from '../harness/product.ts'
import { Derived, readLines } from './derive.ts'
import type { Sample } from './sample.ts'
import { samples } from './samples/index.ts'

/** A generator with a seed, so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function assistantOf(sample: Sample): Assistant {
  const found = assistants.find(({ id }) => id === sample.assistant)
  assert.ok(found)
  return found
}

function derive(
  sample: Sample,
  reopens?: (line: number) => boolean,
  change: (lines: string[]) => string[] = (lines) => lines,
): Derived {
  const assistant = assistantOf(sample)
  const derived = new Derived()
  for (const { path, records } of sample.files) {
    const source = assistant.source(path)
    assert.ok(source, path)
    const lines = records.map((record) => JSON.stringify(record))
    const isText = typeof records[0] === 'string'
    readLines(assistant, source, isText ? lines : change(lines), derived, reopens)
  }
  return derived
}

test('there is a sample of every assistant', () => {
  assert.deepEqual(
    samples.map(({ assistant }) => assistant).toSorted(),
    assistants.map(({ id }) => id).toSorted(),
  )
})

test('a session of Copilot counts the tokens of its subagents, each response once', () => {
  const [sample] = samples.filter(({ assistant }) => assistant === 'copilot')
  assert.ok(sample)
  const [{ path, records } = { path: '', records: [] }] = sample.files
  const assistant = assistantOf(sample)
  const source = assistant.source(path)
  assert.ok(source)
  const reader = assistant.open(source, null)
  const counted = records
    .flatMap((record, index) => reader.read(JSON.stringify(record), index))
    .flatMap((change) => (change.kind === 'usage' ? [[change.sessionKey, change.tokens.input]] : []))
  const session = Object.keys(sample.expected.messages)[0]
  assert.deepEqual(counted, [
    [session, 100],
    [session, 100],
  ])
})

for (const sample of samples)
  describe(sample.assistant, () => {
    test('a session has the messages, tokens, files and links that its files hold', () => {
      const derived = derive(sample)
      const { messages, sessions, tokens, files, unknown } = sample.expected
      assert.deepEqual(
        Object.fromEntries([...derived.messages.keys()].map((key) => [key, derived.lines(key)])),
        messages,
      )
      for (const [key, fields] of Object.entries(sessions))
        assert.partialDeepStrictEqual(derived.sessions.get(key), fields)
      assert.deepEqual(derived.tokens(), tokens)
      assert.deepEqual([...derived.files], files)
      assert.equal(derived.unknown, unknown)
    })

    test('a result names its call', () => {
      for (const rows of derive(sample).messages.values())
        for (const message of rows.values())
          if (message.kind === 'tool_result') {
            const calls = [...rows.values()].filter(
              ({ kind, toolCallKey }) => kind === 'tool_call' && toolCallKey === message.toolCallKey,
            )
            assert.equal(calls.length, 1, JSON.stringify(message))
          }
    })

    test('a reader that continues from its saved state at any line gives the same', () => {
      const whole = derive(sample)
      assert.deepEqual(
        derive(sample, () => true),
        whole,
      )
      for (let seed = 1; seed <= 20; seed++) {
        const next = random(seed)
        assert.deepEqual(
          derive(sample, () => next() < 0.3),
          whole,
          `seed ${seed}`,
        )
      }
    })

    test('lines that come a second time change nothing', () => {
      const once = derive(sample)
      const twice = derive(sample, undefined, (lines) => [...lines, ...lines])
      assert.deepEqual(twice.tokens(), once.tokens())
      for (const key of once.messages.keys()) assert.deepEqual(twice.lines(key), once.lines(key))
    })

    test('a broken line is an unknown record and harms no other', () => {
      const broken = [
        '{"type":"user',
        'null',
        '[]',
        '"text"',
        '',
        '\ufffd{',
        '{}',
        '{"type":7,"payload":[],"data":3,"message":"x"}',
      ]
      const derived = derive(sample, undefined, (lines) =>
        lines.flatMap((line) => [line, ...broken.slice(0, 6)]),
      )
      const { messages } = sample.expected
      for (const key of Object.keys(messages)) assert.deepEqual(derived.lines(key), messages[key])
      assert.ok(derived.unknown > sample.expected.unknown)
      assert.doesNotThrow(() => derive(sample, undefined, (lines) => [...broken, ...lines]))
    })

    test('no cut or mixture of lines makes a reader throw, and its state stays small', () => {
      const assistant = assistantOf(sample)
      for (let seed = 1; seed <= 30; seed++) {
        const next = random(seed)
        for (const { path, records } of sample.files) {
          const source = assistant.source(path)
          assert.ok(source)
          const reader = assistant.open(source, null)
          for (let line = 0; line < 50; line++) {
            const text = JSON.stringify(records[Math.floor(next() * records.length)])
            reader.read(next() < 0.5 ? text : mutilated(text, next), line)
          }
          assert.ok(JSON.stringify(reader.state()).length < 100_000)
        }
      }
    })

    test('the layout of the folder tells whose it is', async () => {
      const root = temporaryFolder()
      for (const { path, records } of sample.files) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
      }
      const found = await Promise.all(
        assistants.map(async (each) => ((await each.isRoot(root)) ? [each.id] : [])),
      )
      assert.deepEqual(found.flat(), [sample.assistant])
      for (const each of assistants) assert.equal(await each.isRoot(temporaryFolder()), false)
    })

    test('files that are no transcripts are left alone', () => {
      const { source } = assistantOf(sample)
      for (const path of [
        '',
        'settings.json',
        'history.jsonl',
        '../x.jsonl',
        'projects/a/memory/notes.md',
        'sessions/1.json',
      ])
        assert.equal(source(path), null, path)
    })
  })

/** Replaces a value somewhere in the JSON by one of another type. */
function mutilated(text: string, next: () => number): string {
  const values = ['null', '7', '[]', '{}', '"x"', 'true']
  let count = Math.floor(next() * 12)
  return text.replace(/:(?:"[^"\\]*"|\d+|true|false|null)/g, (value) =>
    count-- === 0 ? `:${values[Math.floor(next() * values.length)]}` : value,
  )
}
