import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreOf, type Evidence } from './score.ts'

const now = Date.parse('2026-11-01T00:00:00Z')
const monthAgo = new Date(now - 30 * 86_400_000)
const none: Evidence = { isExact: false, title: 0, words: 0, similarity: 0.5, at: new Date(now) }

/** Best first, each with its score worked by hand. */
const expected: [string, Partial<Evidence>, string][] = [
  ['called like the query, of no other worth', { isExact: true, similarity: null, at: monthAgo }, '1.0000'],
  // 0.85 + 0.14 × (0.5 + 0.3 + 0.02) / 1.32
  ['all words in the title', { title: 1, words: 1 }, '0.9370'],
  // 0.85 + 0.14 × (0.3 + 0.01) / 1.32
  ['the same, far in meaning and a month old', { title: 1, words: 1, similarity: 0, at: monthAgo }, '0.8829'],
  // 0.7 + 0.15 × (0.5 + 0.3 + 0.02) / 1.32
  ['half of them in the title, the others in the text', { title: 0.5, words: 1 }, '0.7932'],
  // 0.7 + 0.15 × (0.5 + 0.1 / 8 + 0.02) / 1.32
  ['half of them in the title, the others nowhere', { title: 0.5, words: 0.5 }, '0.7605'],
  // 0.6 + 0.1 × (0.5 + 0.3 + 0.02) / 1.32
  ['all words in the text', { words: 1 }, '0.6621'],
  // 0.6 × (1 + 0.1 × 0.9³ + 0.02) / 1.32
  ['the same meaning, nearly all words', { title: 0.4, words: 0.9, similarity: 1 }, '0.4968'],
  // 0.6 × (0.5 + 0.1 / 8 + 0.02) / 1.32
  ['near in meaning, half of the words', { words: 0.5 }, '0.2420'],
  // 0.6 × (0.5 + 0.02) / 1.32
  ['near in meaning', {}, '0.2364'],
  // 0.6 × (0.5 + 0.01) / 1.32
  ['the same, a month old', { at: monthAgo }, '0.2318'],
  // 0.6 × (0.1 + 0.02) / 1.32, with the floor as its similarity
  ['not near enough to be compared', { similarity: null }, '0.0545'],
  // 0.6 × 0.02 / 1.32
  ['against the meaning', { similarity: -0.4 }, '0.0091'],
]

test('titles come before texts, words before meaning, then the newer one, as worked by hand', () => {
  const scores = expected.map(([, evidence]) => scoreOf({ ...none, ...evidence }, 0.1, now))
  assert.deepEqual(
    scores.map((score, index) => `${expected[index]?.[0]} ${score.toFixed(4)}`),
    expected.map(([name, , score]) => `${name} ${score}`),
  )
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  )
})

test('what is as good as can be stays below what is called like the query', () => {
  const best = scoreOf({ ...none, title: 1, words: 1, similarity: 1 }, 0, now)
  assert.ok(best < 1 && best > 0.98, String(best))
})
