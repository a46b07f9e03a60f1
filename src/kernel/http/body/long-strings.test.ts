import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanJson, startScan } from './json-scan.ts'
import { parseInSteps } from './long-strings.ts'

function parse(text: string | Buffer): Promise<unknown> {
  const bytes = Buffer.from(text)
  const scan = startScan()
  scanJson(bytes, scan, bytes.length)
  return parseInSteps(bytes, scan)
}

/** As long as a piece and more, so that every phase of the unit meets the end of one. */
const filled = (unit: string, phase: number): string =>
  'x'.repeat(phase) + unit.repeat(Math.ceil(300_000 / Buffer.byteLength(unit)))

test('parsing in steps gives what JSON.parse gives, wherever a long string is cut', async () => {
  const units = [
    'x',
    '\\n',
    '\\"',
    '\\\\',
    '\\u0041',
    '\\\\u0041',
    '\\ud83d\\ude00',
    'é',
    '日',
    '😀',
    '\ufeff',
  ]
  for (const unit of units) {
    for (let phase = 0; phase < 13; phase += 1) {
      const text = `{"a":["${filled(unit, phase)}",1],"b":{"c":"short"}}`
      assert.ok(Buffer.byteLength(text) > 262_144)
      assert.deepEqual(await parse(text), JSON.parse(text), `${unit} at ${phase}`)
    }
  }
})

test('long strings are found as the body, as names, as repeated members and in __proto__', async () => {
  const long = 'y'.repeat(20_000)
  for (const text of [
    `"${long}"`,
    `{"${long}":1,"${long}x" : "${long}"}`,
    `{"a":"${long}","a":"z"}`,
    `{"__proto__":"${long}"}`,
    `{"__proto__":{"a":"${long}"}}`,
    `[["${long}"],"${long}1",null,{"a":null}]`,
    ` \n\t"${long}" `,
  ])
    assert.deepEqual(JSON.stringify(await parse(text)), JSON.stringify(JSON.parse(text)))
})

test('what is not valid inside or around a long string is refused with 400', async () => {
  const long = 'y'.repeat(20_000)
  for (const text of [
    `{"a":"${long}`,
    `{"a":"${long}"`,
    `{"a" "${long}"}`,
    `{"a":"${long}\n"}`,
    `{"a":"${long}\\x"}`,
    `{"a":"${long}\\u12"}`,
    `{"a":"${long}"} extra`,
    Buffer.concat([Buffer.from(`{"a":"${long}`), Buffer.from([0xc3]), Buffer.from('"}')]),
    Buffer.concat([
      Buffer.from(`{"a":"${'y'.repeat(262_143)}`),
      Buffer.from([0xc3]),
      Buffer.from(`${long}"}`),
    ]),
  ])
    await assert.rejects(parse(text), { status: 400, code: 'invalid_request' })
})

test('a string of 32 MB takes steps between which other requests are served', async () => {
  for (const unit of ['\\', '\\n', '日']) {
    const text = Buffer.from(`["${unit.repeat(32_000_000 / Buffer.byteLength(unit))}"]`)
    let turns = 0
    const count = (): void => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const [value] = (await parse(text)) as [string]
    clearImmediate(timer)
    assert.equal(value.length, unit === '日' ? 10_666_666 : 16_000_000)
    assert.ok(turns > 3, `${unit}: ${turns} turns`)
  }
})
