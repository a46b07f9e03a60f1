import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiCallSampler } from './request-events.ts'

/** Requests of some seconds, evenly spread: what each event represents, second by second. */
function sampled(perSecond: number, seconds: readonly { good: number; errors: number }[]): number[][] {
  let now = 0
  const sampler = new ApiCallSampler(perSecond, () => now)
  return seconds.map(({ good, errors }, second) => {
    const counts: number[] = []
    for (let n = 0; n < good + errors; n++) {
      now = second * 1000 + Math.floor((n * 1000) / (good + errors))
      counts.push(sampler.sample('a group', n >= good))
    }
    return counts.filter((count) => count > 0)
  })
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

test('below the limit every request becomes an event', () => {
  assert.deepEqual(sampled(100, [{ good: 80, errors: 10 }]), [Array.from({ length: 90 }, () => 1)])
})

test('above the limit no second has more events than that, and together they represent all requests', () => {
  const seconds = sampled(
    100,
    Array.from({ length: 5 }, () => ({ good: 5_000, errors: 0 })),
  )
  for (const counts of seconds) assert.ok(counts.length <= 100, `${counts.length}`)
  const all = sum(seconds.flat())
  assert.ok(all > 24_900 && all <= 25_000, `${all}`)
  assert.ok((seconds[4]?.length ?? 0) > 80, 'spread over the second, not only its beginning')
})

test('errors are preferred', () => {
  const [, second = []] = sampled(100, [
    { good: 5_000, errors: 10 },
    { good: 5_000, errors: 10 },
  ])
  assert.equal(second.slice(-10).length, 10)
  assert.deepEqual(
    second.slice(-9),
    Array.from({ length: 9 }, () => 1),
  )
})

test('a limit of 0 allows no events', () => {
  assert.deepEqual(sampled(0, [{ good: 10, errors: 10 }]), [[]])
})

test('an event represents only requests of its own group', () => {
  let now = 1_000
  const sampler = new ApiCallSampler(10, () => now)
  for (const isError of [true, false]) for (let n = 0; n < 50; n++) sampler.sample('busy', isError)
  now = 2_000
  assert.deepEqual([sampler.sample('quiet', true), sampler.sample('busy', true)], [1, 41])
  const counts = ['quiet', 'busy'].map((group) => {
    for (;;) {
      const count = sampler.sample(group, false)
      if (count > 0) return count
    }
  })
  assert.ok((counts[0] ?? 0) < 20 && (counts[1] ?? 0) > 50, String(counts))
})
