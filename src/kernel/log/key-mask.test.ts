import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskFor, Secret } from '#kernel/log'

// A shape that no pattern knows, with characters that address and JSON escapes change.
const key = 'Zq/7+kL"m\\9=&pR2vX0tB5nC8dF1gH3jW6yS4uK'
const mask = maskFor(new Secret(key))
const escaped = JSON.stringify(key).slice(1, -1)
const unicode = Array.from(key, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
const percent = Array.from(Buffer.from(key), (each) => `%${each.toString(16).padStart(2, '0')}`).join('')

const hexOf = (each: string): string => each.charCodeAt(0).toString(16)
const html = key.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const shapes: [name: string, text: string][] = [
  ['as it is', key],
  ['with JSON escapes', escaped],
  ['with the escapes of JSON in JSON', JSON.stringify(escaped).slice(1, -1)],
  ['with escaped slashes', escaped.replaceAll('/', '\\/')],
  ['in Unicode escapes', unicode],
  ['URL-encoded', encodeURIComponent(key)],
  ['URL-encoded as a form', new URLSearchParams({ key }).toString().slice(4)],
  ['URL-encoded with small letters, every character', percent],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ['in decimal references of HTML', Array.from(key, (each) => `&#${each.charCodeAt(0)};`).join('')],
  [
    'in hexadecimal references of HTML',
    Array.from(key, (each) => `&#x${hexOf(each).toUpperCase()};`).join(''),
  ],
  ['in padded references without semicolons', Array.from(key, (each) => `&#x000${hexOf(each)}`).join('')],
  [
    'in references that are escaped again',
    Array.from(key, (each) => `&amp;#${each.charCodeAt(0)};`).join(''),
  ],
  ['in references, cut', Array.from(key.slice(0, 30), (each) => `&#${each.charCodeAt(0)};`).join('')],
  ['escaped for HTML', html],
  ['in base64', Buffer.from(key).toString('base64')],
  ['in base64 behind one byte', Buffer.from(`:${key}`).toString('base64')],
  ['in base64 behind two bytes', Buffer.from(`u:${key}`).toString('base64')],
  ['in base64 for addresses', Buffer.from(`Bearer ${key}`).toString('base64url')],
  ['in hexadecimal', Buffer.from(key).toString('hex')],
  ['in large hexadecimal', Buffer.from(key).toString('hex').toUpperCase()],
  ['cut off after 30 characters', key.slice(0, 30)],
]

for (const [name, text] of shapes) {
  test(`a key ${name} is replaced, and the text around it stays`, () => {
    const masked = mask.text(`before ${text} and after`)
    assert.match(masked, /^before [\w=]*\[key\] and after$/)
    assert.ok(masked.length < 40, masked)
  })
}

test('of a key whose beginning is missing the last 24 characters are replaced', () => {
  assert.equal(mask.text(`key …${key.slice(4)} is wrong`), 'key …+kL"m\\9=&pR[key] is wrong')
})

test('every occurrence is replaced', () => {
  assert.equal(mask.text(`${key} ${key}`), '[key] [key]')
})

test('text without the key stays as it is, also the first characters of a key', () => {
  for (const text of ['', 'Zq/7+kL"m\\9=&pR2vX0tB5n', 'sk-proj- is how keys begin', '\u0000\ud800'])
    assert.equal(mask.text(text), text)
})

test('a short key is replaced whole', () => {
  const short = maskFor(new Secret('abcd1234'))
  assert.equal(short.text('key abcd1234.'), 'key [key].')
  assert.equal(short.text(Buffer.from('abcd1234').toString('base64')), '[key]')
  assert.equal(short.text('abcd123'), 'abcd123')
})

test('a key of 4,096 characters is replaced', () => {
  const long = 'aB3$'.repeat(1_024)
  assert.equal(maskFor(new Secret(long)).text(`(${long})`), '([key])')
})

test('a server that sends nothing but escapes costs linear time', () => {
  for (const text of ['\\\\'.repeat(500_000), '%25'.repeat(500_000), key.slice(0, 23).repeat(40_000)])
    assert.equal(mask.text(text), text)
})

test('bytes and strings without the key are handed back as the same object', () => {
  const bytes = Buffer.from('{"choices":[]}')
  assert.equal(mask.plainBytes(bytes), bytes)
  const plain = Buffer.concat([Buffer.from([0xff]), Buffer.from(key), Buffer.from([0xfe])])
  assert.deepEqual(mask.plainBytes(plain), Buffer.from([0xff, ...Buffer.from('[key]'), 0xfe]))
  assert.equal(mask.plainText(`a ${key}`), 'a [key]')
})

test('other secrets in an error are masked too', () => {
  assert.equal(
    mask.text(`${key} at postgres://app:hunter22@db/shop`),
    '[key] at postgres://app:[masked]@db/shop',
  )
})

test('one key has one mask', () => {
  const secret = new Secret(key)
  assert.equal(maskFor(secret), maskFor(secret))
})

test('a placeholder instead of a key does not change what a model writes, but is not quoted in errors', () => {
  const placeholder = maskFor(new Secret('localhost'))
  const text = 'The server listens on localhost.'
  assert.equal(placeholder.plainText(text), text)
  const bytes = Buffer.from(text)
  assert.equal(placeholder.plainBytes(bytes), bytes)
  assert.equal(placeholder.text('Incorrect key: localhost'), 'Incorrect key: [key]')
})
