import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '#kernel/errors'
import { createEmbedder } from './create-embedder.ts'
import type { Driver } from './drivers/driver.ts'
import { toUnitLength } from './vectors.ts'

/** A driver whose batches are let go by hand. */
function heldDriver(limits = { texts: 4, bytes: 1_000, concurrency: 1 }) {
  const batches: { texts: readonly string[]; go: () => void }[] = []
  let isHeld = true
  const driver: Driver = {
    limits,
    async embed(texts, signal) {
      if (isHeld)
        await new Promise<void>((go, reject) => {
          batches.push({ texts, go })
          signal?.addEventListener('abort', () => reject(new Error('cancelled')))
        })
      else batches.push({ texts, go: () => undefined })
      if (texts.some((text) => text.includes('bad'))) throw new Error('it is bad')
      return texts.map(vectorOf)
    },
    probe: async () => ({ models: [], embeddingModels: [], hasModel: true, digest: null }),
    close: async () => undefined,
  }
  const letGo = (): void => {
    isHeld = false
    for (const { go } of batches) go()
  }
  return { driver, batches, letGo, seen: () => batches.map(({ texts }) => texts) }
}

const vectorOf = (text: string): Float32Array =>
  toUnitLength(
    Float32Array.from({ length: 768 }, (_, at) =>
      Math.sin(at + text.length * 31 + text.charCodeAt(text.length - 1)),
    ),
  )
/** The queue begins in the next turn of the event loop. */
const turn = async (): Promise<void> => {
  for (let times = 0; times < 3; times += 1) await new Promise((done) => setImmediate(done))
}

function embedderOf(
  driver: Driver,
  more: { isPrefixed?: boolean; cacheBytes?: number; maxQueued?: number } = {},
) {
  return createEmbedder({
    driver,
    model: 'test',
    fingerprint: 'test:1',
    isPrefixed: false,
    cacheBytes: 1_000_000,
    ...more,
  })
}

test('while the model works, the texts of all callers gather into the next batch', async () => {
  const { driver, seen, letGo } = heldDriver()
  const { embedder } = embedderOf(driver)
  const work = [embedder.embed(['first'], 'clustering')]
  await turn()
  work.push(embedder.embed(['a', 'b'], 'clustering'), embedder.embed(['c'], 'clustering'))
  await turn()
  letGo()
  const vectors = await Promise.all(work)
  assert.deepEqual(seen(), [['first'], ['a', 'b', 'c']])
  assert.deepEqual(vectors, [[vectorOf('first')], [vectorOf('a'), vectorOf('b')], [vectorOf('c')]])
})

test('a batch has no more texts and bytes than the driver takes', async () => {
  const { driver, seen, letGo } = heldDriver({ texts: 3, bytes: 10, concurrency: 1 })
  letGo()
  const texts = ['aaaa', 'bbbb', 'cccc', 'd', 'e', 'f', 'g', 'long '.repeat(9)]
  await embedderOf(driver).embedder.embed(texts, 'clustering')
  assert.deepEqual(seen(), [['aaaa', 'bbbb'], ['cccc', 'd', 'e'], ['f', 'g'], ['long '.repeat(9)]])
})

test('the same text is embedded once: twice in a call, at the same time, and again later', async () => {
  const { driver, seen, letGo } = heldDriver()
  const { embedder, state } = embedderOf(driver)
  const first = embedder.embed(['x', 'y', 'x'], 'clustering')
  const second = embedder.embed(['y'], 'clustering')
  await turn()
  letGo()
  assert.deepEqual(await first, [vectorOf('x'), vectorOf('y'), vectorOf('x')])
  assert.deepEqual(await second, [vectorOf('y')])
  await embedder.embed(['y', 'x'], 'clustering')
  assert.deepEqual(seen(), [['x', 'y']])
  assert.equal(state().cache.vectors, 2)
})

test('the prefix of the task is put before the text, and makes another vector', async () => {
  const { driver, seen, letGo } = heldDriver()
  letGo()
  const { embedder } = embedderOf(driver, { isPrefixed: true })
  await embedder.embed(['x'], 'search_query')
  await embedder.embed(['x'], 'search_document')
  assert.deepEqual(seen(), [['search_query: x'], ['search_document: x']])
})

test('interactive texts go before background ones, also those that were in the background', async () => {
  const { driver, seen, letGo } = heldDriver()
  const { embedder } = embedderOf(driver)
  const background = (texts: string[]) => embedder.embed(texts, 'clustering', { priority: 'background' })
  const work = [embedder.embed(['running'], 'clustering')]
  await turn()
  work.push(background(['b1', 'b2', 'b3']), embedder.embed(['i1', 'b3'], 'clustering'))
  await turn()
  letGo()
  await Promise.all(work)
  assert.deepEqual(seen(), [['running'], ['i1', 'b3'], ['b1', 'b2']])
})

test('a full queue refuses with 503 and retry-after, the background first', async () => {
  const { driver, letGo } = heldDriver()
  const { embedder } = embedderOf(driver, { maxQueued: 4 })
  const running = embedder.embed(['running'], 'clustering')
  await turn()
  const isFull = (error: unknown): boolean =>
    error instanceof Fault && error.status === 503 && error.headers['retry-after'] === '1'
  const waiting = embedder.embed(['1', '2'], 'clustering', { priority: 'background' })
  await assert.rejects(embedder.embed(['3'], 'clustering', { priority: 'background' }), isFull)
  const more = embedder.embed(['3', '4'], 'clustering')
  await assert.rejects(embedder.embed(['5'], 'clustering'), isFull)
  letGo()
  await Promise.all([running, waiting, more])
  await embedder.embed(['5'], 'clustering')
})

test('a caller who leaves gives the places back, unless another waits for the same text', async () => {
  const { driver, seen, letGo } = heldDriver()
  const { embedder, state } = embedderOf(driver)
  const running = embedder.embed(['running'], 'clustering')
  await turn()
  const gone = new AbortController()
  const left = embedder.embed(['alone', 'shared'], 'clustering', { signal: gone.signal })
  const stays = embedder.embed(['shared'], 'clustering')
  assert.equal(state().queue.interactive, 2)
  gone.abort()
  await assert.rejects(left, { name: 'AbortError' })
  assert.equal(state().queue.interactive, 1)
  letGo()
  await Promise.all([running, stays])
  assert.deepEqual(seen(), [['running'], ['shared']])
})

test('a bad text fails with its index, and the others are remembered', async () => {
  const { driver, letGo } = heldDriver()
  letGo()
  const { embedder, state } = embedderOf(driver)
  await assert.rejects(
    embedder.embed(['a', 'b', 'bad', 'd'], 'clustering'),
    (error) => error instanceof Fault && error.status === 502 && error.param === 'texts[2]',
  )
  assert.equal(state().cache.vectors, 3)
})

test('empty and oversized texts are refused by their index; half a surrogate pair is replaced', async () => {
  const { driver, seen, letGo } = heldDriver()
  letGo()
  const { embedder } = embedderOf(driver)
  const refusal = async (texts: string[]): Promise<string | null> =>
    embedder.embed(texts, 'clustering').then(
      () => 'accepted',
      (error: Fault) => (error.status === 400 ? error.param : String(error)),
    )
  assert.equal(await refusal(['a', '']), 'texts[1]')
  assert.equal(await refusal(['a', 'b', ' \n ']), 'texts[2]')
  assert.equal(await refusal(['é'.repeat(524_289)]), 'texts[0]')
  assert.equal(await refusal(['é'.repeat(524_288)]), 'accepted')
  await embedder.embed(['a\ud83db'], 'clustering')
  assert.deepEqual(seen().at(-1), ['a\ufffdb'])
})

test('the cache keeps to its bytes and forgets what was used longest ago', async () => {
  const { driver, seen, letGo } = heldDriver()
  letGo()
  const { embedder, state } = embedderOf(driver, { cacheBytes: 3 * (768 * 4 + 200) })
  for (const text of ['a', 'b', 'c', 'a', 'd']) await embedder.embed([text], 'clustering')
  assert.equal(state().cache.vectors, 3)
  assert.ok(state().cache.bytes <= state().cache.most_bytes)
  await embedder.embed(['a'], 'clustering')
  assert.equal(seen().length, 4, 'a was used after b, and stayed')
  await embedder.embed(['b'], 'clustering')
  assert.equal(seen().length, 5)
})

test('without memory for a cache everything still works', async () => {
  const { driver, letGo } = heldDriver()
  letGo()
  const { embedder, state } = embedderOf(driver, { cacheBytes: 0 })
  assert.deepEqual(await embedder.embed(['a', 'a'], 'clustering'), [vectorOf('a'), vectorOf('a')])
  assert.equal(state().cache.vectors, 0)
})

test('a caller who changes a vector does not change the cached one', async () => {
  const { driver, seen, letGo } = heldDriver()
  letGo()
  const { embedder } = embedderOf(driver)
  for (const source of ['the driver', 'the cache', 'the cache again']) {
    const [vector] = await embedder.embed(['text'], 'clustering')
    assert.deepEqual(vector, vectorOf('text'), `from ${source}`)
    vector?.fill(9)
  }
  assert.equal(seen().length, 1)
})

const many = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`)

test('a single call waits for the batch that runs, never for the rest of a call with many texts', async () => {
  const { driver, batches, letGo, seen } = heldDriver()
  const { embedder } = embedderOf(driver)
  const bulk = embedder.embed(many('b', 2_000), 'clustering')
  await turn()
  const single = embedder.embed(['single'], 'clustering')
  await turn()
  batches[0]?.go()
  await turn()
  assert.deepEqual(seen(), [['b0', 'b1', 'b2', 'b3'], ['single']])
  letGo()
  await Promise.all([bulk, single])
})

test('calls with many texts get every third batch while single calls keep coming', async () => {
  const { driver, letGo, seen } = heldDriver({ texts: 1, bytes: 1_000, concurrency: 1 })
  const { embedder } = embedderOf(driver)
  const work = [embedder.embed(many('b', 9), 'clustering')]
  for (const text of many('s', 6)) work.push(embedder.embed([text], 'clustering'))
  await turn()
  letGo()
  await Promise.all(work)
  assert.equal(seen().flat().join(' '), 's0 s1 b0 s2 s3 b1 s4 s5 b2 b3 b4 b5 b6 b7 b8')
})

test('many texts leave a slot of the driver and a quarter of the room to single calls', async () => {
  const { driver, letGo, seen } = heldDriver({ texts: 4, bytes: 1_000, concurrency: 2 })
  const { embedder } = embedderOf(driver, { maxQueued: 40 })
  const bulk = embedder.embed(many('b', 30), 'clustering')
  await turn()
  assert.equal(seen().length, 1)
  await assert.rejects(embedder.embed(many('c', 9), 'clustering'), { status: 503 })
  const single = embedder.embed(['single'], 'clustering')
  await turn()
  assert.deepEqual(seen()[1], ['single'])
  letGo()
  await Promise.all([bulk, single])
})

test('a running batch that nobody waits for is cancelled, and the same text asked for again is embedded', async () => {
  const { driver, letGo, seen } = heldDriver()
  const { embedder, state } = embedderOf(driver)
  const gone = new AbortController()
  const left = embedder.embed(many('b', 100), 'clustering', { signal: gone.signal })
  await turn()
  assert.equal(state().queue.running, 1)
  gone.abort()
  await assert.rejects(left, { name: 'AbortError' })
  const again = embedder.embed(['b0'], 'clustering')
  await turn()
  assert.deepEqual(seen(), [['b0', 'b1', 'b2', 'b3'], ['b0']])
  assert.deepEqual(state().queue, { interactive: 0, background: 0, running: 1, most: 16_384 })
  letGo()
  assert.deepEqual(await again, [vectorOf('b0')])
})

test('a running batch continues while one of its callers still waits', async () => {
  const { driver, letGo } = heldDriver()
  const { embedder } = embedderOf(driver)
  const gone = new AbortController()
  const left = embedder.embed(['a', 'b'], 'clustering', { signal: gone.signal })
  const stays = embedder.embed(['b'], 'clustering')
  await turn()
  gone.abort()
  await assert.rejects(left, { name: 'AbortError' })
  letGo()
  assert.deepEqual(await stays, [vectorOf('b')])
})
