import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { Secret } from '#kernel/log'
import { startFakeRuntime, type RuntimeFault } from '#test/runtime'
import { embedBatch } from '../embed-batch.ts'
import { BadVector } from '../vectors.ts'
import { RuntimeDown, type Driver } from './driver.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { createRuntimes, type RuntimesOptions } from './runtimes.ts'
import type { Wire } from './wire.ts'

const [first, second] = [await startFakeRuntime(), await startFakeRuntime()]
const open: Driver[] = []
after(async () => {
  await Promise.all(open.map((driver) => driver.close()))
  await Promise.all([first.stop(), second.stop()])
})
beforeEach(() => {
  for (const fake of [first, second])
    Object.assign(fake, {
      fault: undefined,
      faultsLeft: Infinity,
      isBad: () => false,
      batches: [],
      digest: 'a'.repeat(64),
      models: ['nomic-embed-text:latest'],
    })
})

function driverOf(wire: Wire, more: Partial<RuntimesOptions> = {}): Driver {
  const driver = createRuntimes(wire, {
    urls: [first.url],
    model: 'nomic-embed-text',
    digest: null,
    timeoutMs: 300,
    apiKey: undefined,
    log: pino({ level: 'silent' }),
    cut: async (texts) => texts,
    ...more,
  })
  open.push(driver)
  return driver
}

const texts = Array.from({ length: 8 }, (_, index) => `text ${index}`)
const isVectorOf = (vector: Float32Array | Error | undefined, text: string): boolean =>
  vector instanceof Float32Array &&
  first.vectorOf(text).every((value, at) => Math.abs(value - (vector[at] ?? 9)) < 1e-6)

for (const [name, wire] of Object.entries({ ollama, openai })) {
  const wrongResponses: [RuntimeFault, RegExp][] = [
    ['too few', /7 vectors for 8 texts/],
    ['767 numbers', /767 numbers; 768 are needed/],
    ['null', /not finite/],
    ['not a number', /not JSON/],
    ['too large', /not finite/],
    ['zeros', /of zeros/],
    ['not JSON', /not JSON/],
    ['broken', /returned 500: inference failed/],
  ]
  for (const [fault, said] of wrongResponses) {
    test(`${name}: a wrong response of the runtime (${fault}) is an error and no vector`, async () => {
      first.fault = fault
      const driver = driverOf(wire)
      await assert.rejects(driver.embed(texts), said)
    })
  }

  const outages: [RuntimeFault, RegExp][] = [
    ['hangs', /no answer within 300 ms/],
    ['dies', /cannot be reached/],
    ['model lost', /not found.*hold the model/s],
    ['busy', /server busy/],
  ]
  for (const [fault, said] of outages) {
    test(`${name}: a runtime that is away (${fault}) is distinguished from a bad text, and may come back`, async () => {
      first.fault = fault
      const driver = driverOf(wire)
      await assert.rejects(
        driver.embed(texts),
        (error) => error instanceof RuntimeDown && said.test(error.message),
      )
      first.fault = undefined
      assert.ok(isVectorOf((await driver.embed(['back']))[0], 'back'))
    })
  }

  test(`${name}: a batch is split until the bad text is alone`, async () => {
    first.isBad = (text) => text === 'text 5'
    const results = await embedBatch(driverOf(wire), texts)
    results.forEach((result, index) => {
      if (index === 5) assert.match((result as Error).message, /NaN/)
      else assert.ok(isVectorOf(result, `text ${index}`), `text ${index}`)
    })
    const sent = first.batches.filter((batch) => batch.every((text) => text.startsWith('text')))
    assert.equal(sent.length, 8, '8, then two halves at each of three steps, and the bad one again')
  })

  test(`${name}: a model with other dimensions is not tried text by text`, async () => {
    first.fault = '767 numbers'
    const results = await embedBatch(driverOf(wire), texts)
    for (const result of results)
      assert.ok(result instanceof BadVector && result.isModelWrong, String(result))
    assert.equal(first.batches.length, 2, 'the texts, and a plain one')
  })

  test(`${name}: no text is to blame when the runtime fails with a plain one too`, async () => {
    for (const fault of ['broken', 'not JSON'] as const) {
      Object.assign(first, { fault, batches: [] })
      for (const given of [texts, ['alone']]) {
        const results = await embedBatch(driverOf(wire), given)
        assert.equal(results.length, given.length)
        for (const result of results) assert.ok(result instanceof RuntimeDown, String(result))
      }
      assert.equal(first.batches.length, 4, 'each time the texts, and a plain one')
    }
  })

  test(`${name}: a text that fails once, between others that pass, has its vector`, async () => {
    Object.assign(first, { fault: 'broken', faultsLeft: 1 })
    const [result] = await embedBatch(driverOf(wire), ['text'])
    assert.ok(isVectorOf(result, 'text'))
  })

  test(`${name}: of two runtimes the one that fails with every text costs no text its vector`, async () => {
    first.fault = 'broken'
    const results = await embedBatch(driverOf(wire, { urls: [first.url, second.url] }), texts)
    results.forEach((result, index) => assert.ok(isVectorOf(result, `text ${index}`), `text ${index}`))
  })

  test(`${name}: a short fault is not seen by the caller`, async () => {
    for (const fault of ['dies', 'busy'] as const) {
      Object.assign(first, { fault, faultsLeft: 1 })
      assert.ok(isVectorOf((await driverOf(wire).embed(['again']))[0], 'again'))
    }
  })

  test(`${name}: several runtimes share the work, and one that fails is left out`, async () => {
    const driver = driverOf(wire, { urls: [first.url, second.url] })
    const work = async (): Promise<Float32Array[][]> => Promise.all(texts.map((text) => driver.embed([text])))
    await work()
    assert.ok(first.batches.length > 1 && second.batches.length > 1)
    first.fault = 'dies'
    const vectors = await work()
    assert.ok(vectors.every(([vector], index) => isVectorOf(vector, `text ${index}`)))
    first.batches = []
    await work()
    assert.equal(first.batches.length, 0, 'it is not called again at once')
  })

  test(`${name}: without its model a runtime is unavailable`, async () => {
    first.models = ['other:latest']
    await assert.rejects(driverOf(wire).embed(['x']), /does not have the model "nomic-embed-text"/)
    assert.equal((await driverOf(wire).probe()).hasModel, false)
  })
}

test('openai: one index twice is not taken for an order', async () => {
  first.fault = 'no index'
  await assert.rejects(driverOf(openai).embed(texts), /index 0/)
})

test('ollama: a runtime with other weights is skipped', async () => {
  second.digest = 'b'.repeat(64)
  const driver = driverOf(ollama, { urls: [first.url, second.url], digest: first.digest })
  await Promise.all(texts.map((text) => driver.embed([text])))
  assert.equal(second.batches.length, 0)
  const alone = driverOf(ollama, { urls: [second.url], digest: first.digest })
  await assert.rejects(alone.embed(['x']), /has other weights/)
})

test('a runtime that quotes its key is reported without it', async () => {
  first.fault = 'quotes the key'
  const driver = driverOf(openai, { apiKey: new Secret('Zq7/kLm9+pR2vX0tB5nC8d') })
  await assert.rejects(driver.embed(['text']), /returned 500: not with Bearer \[key\]/)
})
