import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '#test/database'
import {
  add,
  decimal,
  decimalOfNumber,
  divide,
  movePoint,
  multiply,
  readDecimal,
  subtract,
  writeDecimal,
} from './index.ts'

test('decimals are read and written in plain notation, without needless zeros', () => {
  const forms = {
    '0': '0',
    '0.00': '0',
    '-0': '0',
    '-0.000': '0',
    '007.50': '7.5',
    '-12.050': '-12.05',
    '0.0000000001': '0.0000000001',
    '123456789012345678901234567890.5': '123456789012345678901234567890.5',
  }
  for (const [text, plain] of Object.entries(forms)) assert.equal(writeDecimal(decimal(text)), plain)
})

test('the point stands where the places say, before, within and behind the digits', () => {
  const forms: [bigint, number, string][] = [
    [0n, 6, '0'],
    [424n, 6, '0.000424'],
    [400n, 6, '0.0004'],
    [400n, 3, '0.4'],
    [400n, 2, '4'],
    [400n, 0, '400'],
    [1_000_400n, 6, '1.0004'],
    [1_000_000n, 6, '1'],
    [20_000_000n, 6, '20'],
    [-5n, 1, '-0.5'],
    [-1_230n, 2, '-12.3'],
  ]
  for (const [digits, places, text] of forms) assert.equal(writeDecimal({ digits, places }), text)
})

test('nothing added to a number leaves it as it is, whatever its places', () => {
  for (const text of ['0', '0.000', '12.5', '-3.25']) {
    assert.equal(writeDecimal(add(decimal('0.0000'), decimal(text))), writeDecimal(decimal(text)))
    assert.equal(writeDecimal(add(decimal(text), decimal('0.0000'))), writeDecimal(decimal(text)))
  }
})

test('text that is not a plain decimal number is refused', () => {
  const hostile = [
    '',
    ' ',
    '1 ',
    '+1',
    '1e5',
    '1E-5',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
  ]
  for (const text of [...hostile, '١', '1\n', '1'.repeat(61), `0.${'1'.repeat(61)}`, '9'.repeat(1_000_000)])
    assert.equal(readDecimal(text), null, text.slice(0, 20))
  assert.throws(() => decimal('many'), RangeError)
})

test('a JavaScript number becomes the shortest decimal that means it', () => {
  const forms: [number, string][] = [
    [0.1, '0.1'],
    [0.075, '0.075'],
    [1e-7, '0.0000001'],
    [1.5e21, '1500000000000000000000'],
    [-2.5e-9, '-0.0000000025'],
    [3, '3'],
  ]
  for (const [number, text] of forms) assert.equal(writeDecimal(decimalOfNumber(number)), text)
  assert.throws(() => decimalOfNumber(Number.NaN), RangeError)
  assert.throws(() => decimalOfNumber(Number.POSITIVE_INFINITY), RangeError)
})

test('sums, differences, products and moved points are what PostgreSQL says they are', async () => {
  const target = await createTestDatabase()
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  try {
    const pairs = Array.from({ length: 500 }, () => [randomDecimal(), randomDecimal()] as const)
    const { rows } = await client.query<Record<'plus' | 'minus' | 'times' | 'millionth', string>>(
      `select trim_scale(a + b)::text as plus, trim_scale(a - b)::text as minus, trim_scale(a * b)::text as times,
         trim_scale(a * 0.000001)::text as millionth
       from unnest($1::numeric[], $2::numeric[]) with ordinality as given(a, b, place) order by place`,
      [pairs.map(([a]) => a), pairs.map(([, b]) => b)],
    )
    for (const [index, [a, b]] of pairs.entries()) {
      const [left, right] = [decimal(a), decimal(b)]
      const ours = {
        plus: writeDecimal(add(left, right)),
        minus: writeDecimal(subtract(left, right)),
        times: writeDecimal(multiply(left, right)),
        millionth: writeDecimal(movePoint(left, 6)),
      }
      assert.deepEqual(ours, { ...rows[index] }, `${a} and ${b}`)
    }
  } finally {
    await client.end()
  }
})

test('a division is cut off after the places asked for', () => {
  assert.equal(writeDecimal(divide(decimal('0.36'), 3600n, 18)), '0.0001')
  assert.equal(writeDecimal(divide(decimal('1'), 3n, 5)), '0.33333')
  assert.equal(writeDecimal(movePoint(decimal('1.5'), -6)), '1500000')
})

function randomDecimal(): string {
  const digits = (most: number): string =>
    Array.from({ length: 1 + Math.floor(Math.random() * most) }, () => Math.floor(Math.random() * 10)).join(
      '',
    )
  const sign = Math.random() < 0.3 ? '-' : ''
  return `${sign}${digits(20)}${Math.random() < 0.7 ? `.${digits(20)}` : ''}`
}
