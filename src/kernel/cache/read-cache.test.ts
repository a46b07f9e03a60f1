import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createMetrics } from '#kernel/metrics'
import { stopClock } from '#test/stop-clock'
import { ReadCache } from './caches.ts'

const outage = new Error('the source is offline')

/** A source whose reads the test answers one by one, in any order. */
function startCache(name = 'test', limits = { max: 3, maxMissing: 2 }) {
  const reads: { key: string; answer(value: string | undefined): void; fail(error: Error): void }[] = []
  const cache = new ReadCache<string>({
    name,
    ...limits,
    read(key) {
      const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
      reads.push({ key, answer: resolve, fail: reject })
      return promise
    },
    isOutage: (error) => error === outage,
    unavailable: (cause) => new Error('unavailable', { cause }),
  })
  /** Reads the key, which must not be in memory, and answers at once. */
  async function fill(key: string, value: string | undefined): Promise<string | undefined> {
    const count = reads.length
    const got = cache.get(key)
    assert.equal(reads.length, count + 1, `${key} was read`)
    reads.at(-1)?.answer(value)
    return got
  }
  /** The same with a source that is offline. */
  async function fillOffline(key: string): Promise<string | undefined> {
    const got = cache.get(key)
    reads.at(-1)?.fail(outage)
    return got
  }
  return { cache, reads, fill, fillOffline }
}

test('a value in memory is returned at once, without a promise and without a read', async () => {
  const { cache, reads, fill } = startCache()
  assert.equal(await fill('a', 'one'), 'one')
  assert.equal(cache.get('a'), 'one')
  assert.equal(reads.length, 1)
})

test('callers who ask for the same key at the same time share one read', async () => {
  const { cache, reads } = startCache()
  const all = [cache.get('a'), cache.get('a'), cache.get('a')]
  assert.equal(reads.length, 1)
  reads[0]?.answer('one')
  assert.deepEqual(await Promise.all(all.map(async (each) => each)), ['one', 'one', 'one'])
})

test('after an invalidation every value is read again on its next use, once', async () => {
  const { cache, reads, fill } = startCache()
  await fill('a', 'one')
  await fill('b', 'two')
  cache.invalidate()
  assert.equal(reads.length, 2, 'nothing is read before it is asked for')
  assert.equal(await fill('a', 'one changed'), 'one changed')
  assert.equal(cache.get('a'), 'one changed')
  assert.equal(await fill('b', undefined), undefined)
  assert.equal(cache.get('b'), undefined, 'a value that is no longer there is forgotten')
  assert.equal(cache.size, 2)
})

test('a read that began before an invalidation is not joined by later callers', async () => {
  const { cache, reads } = startCache()
  const early = cache.get('a')
  cache.invalidate()
  const late = cache.get('a')
  assert.equal(reads.length, 2)
  reads[0]?.answer('old')
  reads[1]?.answer('new')
  assert.equal(await early, 'old')
  assert.equal(await late, 'new')
  assert.equal(cache.get('a'), 'new')
})

test('a read that began before an invalidation is not kept as current', async () => {
  const { cache, reads, fill } = startCache()
  for (const old of ['old', undefined]) {
    const key = `found ${old}`
    const early = cache.get(key)
    cache.invalidate()
    reads.at(-1)?.answer(old)
    assert.equal(await early, old)
    assert.equal(await fill(key, 'new'), 'new')
  }
})

test('a read that ends late does not replace what a later read found', async () => {
  const { cache, reads } = startCache()
  for (const newer of ['new', undefined]) {
    const key = `found ${newer}`
    const early = cache.get(key)
    cache.invalidate()
    const late = cache.get(key)
    reads.at(-1)?.answer(newer)
    assert.equal(await late, newer)
    reads.at(-2)?.answer('old')
    assert.equal(await early, 'old')
    assert.equal(cache.get(key), newer)
  }
})

test('a read that ends late leaves the read under way to be joined', async () => {
  const { cache, reads } = startCache()
  const early = cache.get('a')
  cache.invalidate()
  const late = cache.get('a')
  reads[0]?.answer('old')
  await early
  const later = cache.get('a')
  assert.equal(reads.length, 2)
  reads[1]?.answer('new')
  assert.deepEqual([await late, await later], ['new', 'new'])
})

test('during an outage a known value stays good and is tried again after a second', async (context) => {
  const { cache, reads, fill, fillOffline } = startCache()
  await fill('a', 'one')
  cache.invalidate()
  const clock = stopClock(context, 5_000)
  assert.equal(await fillOffline('a'), 'one')
  clock.set(5_999)
  assert.equal(cache.get('a'), 'one')
  assert.equal(reads.length, 2)
  clock.set(6_000)
  assert.equal(await fillOffline('a'), 'one')
  assert.equal(reads.length, 3)
})

test('a value in use is read again every five seconds, and nobody waits for it', async (context) => {
  const clock = stopClock(context, 1_000)
  const { cache, reads, fill } = startCache()
  await fill('a', 'one')
  clock.set(5_999)
  assert.equal(cache.get('a'), 'one')
  assert.equal(reads.length, 1)
  clock.set(6_000)
  assert.deepEqual([cache.get('a'), cache.get('a')], ['one', 'one'])
  assert.equal(reads.length, 2, 'both share one read')
  reads[1]?.answer('changed without notice')
  await Promise.resolve()
  assert.equal(cache.get('a'), 'changed without notice')
})

test('a value older than ten seconds is not used before it was read again', async (context) => {
  const clock = stopClock(context, 1_000)
  const { cache, fill, fillOffline } = startCache()
  await fill('a', 'one')
  clock.set(10_999)
  assert.equal(cache.get('a'), 'one')
  clock.set(11_000)
  assert.ok(cache.get('a') instanceof Promise)
  assert.equal(await fillOffline('a'), 'one', 'an outage lets it live on')
  clock.set(21_000)
  assert.equal(await fill('a', undefined), undefined)
})

test('a clock of the machine that is set back does not make values live longer', async (context) => {
  mock.timers.enable({ apis: ['Date'], now: 7_200_000 })
  context.after(() => mock.timers.reset())
  const clock = stopClock(context, 1_000)
  const { cache, fill } = startCache()
  await fill('a', 'one')
  mock.timers.setTime(0)
  clock.set(11_000)
  assert.ok(cache.get('a') instanceof Promise)
})

test('a change ends the wait: the source is evidently back', async (context) => {
  const { cache, fill, fillOffline } = startCache()
  await fill('a', 'one')
  cache.invalidate()
  stopClock(context, 5_000)
  await fillOffline('a')
  cache.invalidate()
  assert.equal(await fill('a', 'two'), 'two')
})

test('during an outage a key without a known value gets the error, and the next call tries again', async () => {
  const { cache, reads, fill, fillOffline } = startCache()
  await assert.rejects(fillOffline('new'), { message: 'unavailable', cause: outage })
  await fill('missing', undefined)
  cache.invalidate()
  await assert.rejects(fillOffline('missing'), { message: 'unavailable' })
  assert.equal(await fill('new', 'one'), 'one')
  assert.equal(reads.length, 4)
})

test('an error that is no outage reaches all who wait, and is not remembered', async () => {
  const { cache, reads, fill } = startCache()
  await fill('a', 'one')
  cache.invalidate()
  const both = [cache.get('a'), cache.get('a')]
  reads.at(-1)?.fail(new Error('wrong query'))
  for (const each of both) await assert.rejects(async () => each, { message: 'wrong query' })
  assert.equal(await fill('a', 'two'), 'two')
})

test('that a key has no value is remembered too', async () => {
  const { cache, reads, fill } = startCache()
  assert.equal(await fill('a', undefined), undefined)
  assert.equal(cache.get('a'), undefined)
  assert.equal(reads.length, 1)
  cache.invalidate()
  assert.equal(await fill('a', 'one'), 'one')
  assert.equal(cache.get('a'), 'one')
  assert.equal(cache.size, 1)
})

test('keys without a value push out one another, never a value', async () => {
  const { cache, fill } = startCache()
  for (const key of ['a', 'b', 'c']) await fill(key, `value of ${key}`)
  for (let number = 0; number < 20; number += 1) await fill(`missing ${number}`, undefined)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    ['value of a', 'value of b', 'value of c'],
  )
  assert.equal(cache.size, 5, 'three values and two keys without one')
})

test('the metrics show hits, misses and entries by the name of the cache', async () => {
  const { cache, fill } = startCache('test_shown')
  await fill('a', 'one')
  await fill('b', undefined)
  for (const key of ['a', 'a', 'b']) await cache.get(key)
  const text = await createMetrics().text()
  assert.match(text, /^signalbox_cache_hits_total\{cache="test_shown"\} 3$/m)
  assert.match(text, /^signalbox_cache_misses_total\{cache="test_shown"\} 2$/m)
  assert.match(text, /^signalbox_cache_entries\{cache="test_shown"\} 2$/m)
})
