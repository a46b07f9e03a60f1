import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandomJson } from './testing-json.ts'
import { edit } from './edit.ts'
import type { Edits } from './edit.ts'
import { membersOf, valueAt } from './members.ts'

function edited(raw: string, edits: Edits): string {
  return Buffer.from(edit(Buffer.from(raw), JSON.parse(raw) as Record<string, unknown>, edits)).toString()
}

test('a request that needs no change is sent as the very same bytes', () => {
  const raw = Buffer.from('{ "model" : "m", "messages": [] }')
  assert.equal(
    edit(raw, { model: 'm', messages: [] }, { set: {}, remove: ['metadata'], rename: { a: 'b' } }),
    raw,
  )
})

test('a new member goes in after the first brace and every other byte stays', () => {
  assert.equal(
    edited('  {"model":"m", "big": 12345678901234567890, "one": 1.0}', {
      set: { stream_options: { include_usage: true } },
    }),
    '{"stream_options":{"include_usage":true},"model":"m", "big": 12345678901234567890, "one": 1.0}',
  )
})

test('a changed member leaves numbers, escapes and unknown fields of the others as they were written', () => {
  assert.equal(
    edited('{"model":"openrouter/a/b", "big":12345678901234567890,\n"text":"\\u00e9\\"}{[é🙂", "one":1.0}', {
      set: { model: 'a/b' },
    }),
    '{"model":"a/b","big":12345678901234567890,"text":"\\u00e9\\"}{[é🙂","one":1.0}',
  )
})

test('members are removed and renamed wherever they stand', () => {
  const edits = { remove: ['metadata'], rename: { max_tokens: 'max_completion_tokens' } }
  assert.equal(
    edited('{"metadata":{"a":{"b":[1,"}"]}},"max_tokens":5,"model":"m"}', edits),
    '{"max_completion_tokens":5,"model":"m"}',
  )
  assert.equal(
    edited('{"model":"m","max_tokens": 5 ,"metadata":null}', edits),
    '{"model":"m","max_completion_tokens":5}',
  )
  assert.equal(edited('{"metadata":{}}', edits), '{}')
})

test('only members of the outer object are touched', () => {
  assert.equal(
    edited('{"messages":[{"metadata":1,"model":"x"}],"model":"y","metadata":2}', {
      set: { model: 'z' },
      remove: ['metadata'],
    }),
    '{"messages":[{"metadata":1,"model":"x"}],"model":"z"}',
  )
})

test('a key that is repeated or written with escapes is found', () => {
  assert.equal(
    edited('{"model":"a","m\\u006fdel":"b"}', { set: { model: 'c' } }),
    '{"model":"c","model":"c"}',
  )
})

test('members are found in random JSON exactly where a parser finds them', () => {
  const { next, value } = createRandomJson()
  for (let round = 0; round < 300; round += 1) {
    const object = { first: value(), second: value(), third: value() }
    const json = Buffer.from(JSON.stringify(object, null, next(3)))
    const found = membersOf(json).map(
      ({ key, valueStart, end }) => [key, JSON.parse(json.toString('utf8', valueStart, end))] as const,
    )
    assert.deepEqual(Object.fromEntries(found), object)
  }
})

test('a member is added to an object without any', () => {
  for (const json of ['{}', ' { } ']) assert.equal(edited(json, { set: { model: 'a' } }), '{"model":"a"}')
})

test('a value deep inside is found, also behind leading spaces', () => {
  const json = Buffer.from('\n  {"usage":{"x":{"cost":9},"cost": 0.10}}')
  assert.equal(valueAt(json, ['usage', 'cost'])?.toString(), '0.10')
  assert.equal(valueAt(json, ['usage', 'x', 'cost'])?.toString(), '9')
  assert.equal(valueAt(json, ['usage', 'none']), undefined)
  assert.equal(valueAt(json, ['usage', 'cost', 'deeper']), undefined)
})
