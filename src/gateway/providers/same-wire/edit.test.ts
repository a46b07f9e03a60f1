import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edit } from './edit.ts'
import type { Edits } from './edit.ts'
import { membersOf, valueAt } from './members.ts'

function edited(raw: string, edits: Edits): string {
  return Buffer.from(edit(Buffer.from(raw), JSON.parse(raw) as Record<string, unknown>, edits)).toString()
}

test('a request that needs no change goes on as the very same bytes', () => {
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
  let seed = 7
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % limit
  }
  const texts = ['', 'a', '"', '\\', '\\"', '{', ']', 'é', '🙂', '\n', ',":', 'x'.repeat(300)]
  const value = (depth: number): unknown => {
    const kind = next(depth > 3 ? 4 : 6)
    if (kind === 0) return texts[next(texts.length)]
    if (kind === 1) return next(1000) / 8 - 50
    if (kind === 2) return [true, false, null][next(3)]
    if (kind === 3) return texts.map((text) => text + texts[next(texts.length)]).join('')
    if (kind === 4) return Array.from({ length: next(4) }, () => value(depth + 1))
    return Object.fromEntries(
      Array.from({ length: next(5) }, (_, index) => [
        `${texts[next(texts.length)]}${index}`,
        value(depth + 1),
      ]),
    )
  }
  for (let round = 0; round < 300; round += 1) {
    const object = { first: value(0), second: value(0), third: value(0) }
    const json = Buffer.from(JSON.stringify(object, null, next(3)))
    const found = membersOf(json).map(
      ({ key, valueStart, end }) => [key, JSON.parse(json.toString('utf8', valueStart, end))] as const,
    )
    assert.deepEqual(Object.fromEntries(found), object)
  }
})

test('a value deep inside is found, also behind leading spaces', () => {
  const json = Buffer.from('\n  {"usage":{"x":{"cost":9},"cost": 0.10}}')
  assert.equal(valueAt(json, ['usage', 'cost'])?.toString(), '0.10')
  assert.equal(valueAt(json, ['usage', 'x', 'cost'])?.toString(), '9')
  assert.equal(valueAt(json, ['usage', 'none']), undefined)
  assert.equal(valueAt(json, ['usage', 'cost', 'deeper']), undefined)
})
