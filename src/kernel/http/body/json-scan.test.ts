import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonLimits, longString, scanJson, startScan } from './json-scan.ts'

const check = (text: string): void => scanJson(Buffer.from(text), startScan(), Buffer.byteLength(text))
const nested = (levels: number, inside = ''): string => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`

test('JSON nested to the limit passes, one level more is refused', () => {
  check(nested(128))
  check(`{"a":${nested(127)}}`)
  const refused = {
    status: 400,
    message: 'The body is not accepted: its JSON is nested more than 128 levels deep.',
  }
  assert.throws(() => check(nested(129)), refused)
  assert.throws(() => check('{"a":'.repeat(6_000)), refused)
  assert.throws(() => check(`[${nested(127)},${nested(128)}]`), refused)
})

test('brackets inside strings are text, whatever is escaped around them', () => {
  const brackets = '['.repeat(200)
  for (const before of [
    '',
    '\\"',
    '\\\\',
    '\\\\\\"',
    'x'.repeat(200),
    `${'x'.repeat(200)}\\"`,
    '\\"'.repeat(2_000),
  ])
    check(`["${before}${brackets}"]`)
  // An even number of backslashes ends the string, so that what follows is no text.
  for (const before of ['\\\\', `${'x'.repeat(200)}\\\\`, `${'x'.repeat(200)}\\"\\\\\\\\`])
    assert.throws(() => check(`["${before}",${nested(128)}]`), { status: 400 })
})

test('the scan and JSON.parse agree on strings of every length around the native search', () => {
  for (let length = 0; length < 300; length += 1) {
    for (const end of ['', '\\"', '\\\\', '\\\\\\"', '\\u005b', 'é', '😀']) {
      const text = `{"${'k'.repeat(length)}${end}":["${'v'.repeat(length)}${end}",{}]}`
      JSON.parse(text)
      const scan = startScan()
      scanJson(Buffer.from(text), scan, Buffer.byteLength(text))
      const { depth, members, values, string } = scan
      assert.deepEqual(
        { depth, members, values, string },
        { depth: 0, members: 1, values: 4, string: undefined },
        text,
      )
    }
  }
})

test('a body with more members or values than the limits is refused', () => {
  const { members, values } = jsonLimits
  check(`{${'"a":0,'.repeat(members - 1)}"a":0}`)
  assert.throws(() => check(`{${'"a":0,'.repeat(members)}"a":0}`), /more than 100000 object members/)
  check(`[${'0,'.repeat(values - 1)}0]`)
  assert.throws(() => check(`[${'0,'.repeat(values)}0]`), /more than 500000 values/)
  assert.throws(() => check(`[${'{},'.repeat(values / 2)}0]`), /more than 500000 values/)
})

test('a scan in steps counts the same as a scan at once', () => {
  const long = 'z'.repeat(longString + 1)
  const value = { a: ['x'.repeat(500), { b: 'y"\\'.repeat(50) }], c: [[], {}], d: long, e: `${long}\\"` }
  const bytes = Buffer.from(JSON.stringify(value))
  const whole = startScan()
  scanJson(bytes, whole, bytes.length)
  assert.equal(whole.longStrings.length, 2)
  for (const step of [1, 2, 3, 7, 100, 1_500]) {
    const scan = startScan()
    // What has not arrived yet is not looked at.
    const arriving = Buffer.alloc(bytes.length, 'z')
    arriving.write('"', bytes.length - 1)
    for (let at = 0; at < bytes.length; at += step) {
      bytes.copy(arriving, at, at, at + step)
      scanJson(arriving, scan, Math.min(bytes.length, at + step))
    }
    assert.deepEqual(scan, whole)
  }
})
