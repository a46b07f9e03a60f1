import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkText } from './chunk.ts'
import { identifierParts } from './identifiers.ts'
import { assertUnit, similarityTo, toBytes, toSigns } from './vector-codec.ts'

test('a short text is one chunk, as it is', () => {
  assert.deepEqual(chunkText('  One line.\n\nAnother. '), ['One line.\n\nAnother.'])
  assert.deepEqual(chunkText(' \n '), [])
})

test('a long text is cut at paragraphs, and neighbours share some words', () => {
  const paragraph = (name: string): string =>
    Array.from({ length: 160 }, (_, index) => `${name}${index}`).join(' ')
  const chunks = chunkText(['a', 'b', 'c'].map(paragraph).join('\n\n'))
  assert.ok(chunks[0]?.startsWith('a0 ') && chunks[0].endsWith(' a159'), chunks[0])
  assert.ok(chunks[1]?.startsWith('a135 '), chunks[1]?.slice(0, 20))
  assert.ok(chunks[1]?.endsWith(' b159'))
  assert.ok(chunks.at(-1)?.endsWith(' c159'))
})

test('every word is in a chunk, chunks are bounded, and no character is cut in two', () => {
  const texts = [
    'x'.repeat(100_000),
    '👩‍👩‍👧 '.repeat(3_000),
    '😀'.repeat(20_000),
    `${'const a = 1; '.repeat(2_000)}\n${'}\n'.repeat(500)}`,
    'نص عربي طويل. '.repeat(2_000),
  ]
  for (const text of texts) {
    const chunks = chunkText(text)
    for (const chunk of chunks) {
      assert.ok(chunk.length <= 2_000, String(chunk.length))
      assert.ok(chunk.isWellFormed())
      assert.ok(text.includes(chunk))
    }
    assert.ok(chunks.join('').length >= text.replaceAll(/\s+/g, '').length * 0.99)
  }
})

test('a text without end has a bounded number of chunks', () => {
  assert.equal(chunkText('word '.repeat(500_000)).length, 400)
})

test('names and paths are taken apart', () => {
  const parts = identifierParts(
    'see src/kernel/db/listener.ts and getUserById, HTTPServer, user_label; plain words',
  )
  for (const part of [
    'kernel/db/listener.ts',
    'listener.ts',
    'src/kernel',
    'listener',
    'User',
    'HTTP',
    'Server',
    'label',
  ])
    assert.ok(parts.split(' ').includes(part), `${part} in ${parts}`)
  assert.ok(!parts.includes('plain'))
})

test('stored bytes keep the cosine, and signs keep the order of angles', () => {
  const random = (seed: number): Float32Array => {
    let state = seed
    const vector = Float32Array.from({ length: 768 }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state / 2 ** 31 - 1
    })
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  const [a, b] = [random(1), random(2)]
  const between = a.map((value, index) => (value + (b[index] ?? 0)) / Math.SQRT2)
  const dot = a.reduce((sum, value, index) => sum + value * (between[index] ?? 0), 0)
  assert.ok(Math.abs(similarityTo(a, toBytes(between)) - dot) < 0.005)
  assert.ok(Math.abs(similarityTo(a, toBytes(a)) - 1) < 0.001)
  const differ = (x: string, y: string): number => x.split('').filter((bit, index) => bit !== y[index]).length
  assert.equal(differ(toSigns(a), toSigns(a)), 0)
  // 45° between a and the middle, 90° between a and b: a quarter and a half of 768 bits, give or take.
  const [near, far] = [differ(toSigns(a), toSigns(between)), differ(toSigns(a), toSigns(b))]
  assert.ok(Math.abs(near - 192) < 50, String(near))
  assert.ok(Math.abs(far - 384) < 60, String(far))
})

test('only unit vectors of 768 finite numbers pass', () => {
  const good = new Float32Array(768).fill(1 / Math.sqrt(768))
  assert.doesNotThrow(() => assertUnit(good))
  assert.throws(() => assertUnit(good.slice(1)), /767 numbers/)
  assert.throws(() => assertUnit(good.with(5, Number.NaN)), /length NaN/)
  assert.throws(() => assertUnit(undefined), /no numbers/)
})
