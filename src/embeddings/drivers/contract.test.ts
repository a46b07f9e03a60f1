import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { temporaryFolder } from '#test/product'
import { startFakeRuntime, writeTinyModel } from '#test/runtime'
import { createBuiltin } from './builtin.ts'
import type { Driver } from './driver.ts'
import { openModelFolder } from './model-folder.ts'
import { ollama } from './ollama.ts'
import { createOnnx } from './onnx.ts'
import { openai } from './openai.ts'
import { createRuntimes } from './runtimes.ts'

/** What every driver promises, whatever runtime it uses. */
const fake = await startFakeRuntime()
const runtime = {
  urls: [fake.url],
  model: 'nomic-embed-text:latest',
  digest: null,
  timeoutMs: 5_000,
  apiKey: undefined,
  log: pino({ level: 'silent' }),
  cut: async (texts: readonly string[]) => texts,
}
const tiny = writeTinyModel(temporaryFolder(), ['the', 'train', 'left', 'station', 'signal'])
const drivers: Record<string, Driver> = {
  ollama: createRuntimes(ollama, runtime),
  openai: createRuntimes(openai, runtime),
  builtin: createBuiltin(),
  onnx: createOnnx(openModelFolder(tiny.folder), 128),
}
after(async () => {
  await Promise.all(Object.values(drivers).map((driver) => driver.close()))
  await fake.stop()
})

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector)

for (const [name, driver] of Object.entries(drivers)) {
  test(`${name}: one unit vector of 768 numbers a text, in order`, async () => {
    const texts = ['the train left', 'the station', 'a signal', 'the train left']
    const vectors = await driver.embed(texts)
    assert.equal(vectors.length, 4)
    for (const vector of vectors) {
      assert.equal(vector.length, 768)
      assert.ok(Math.abs(lengthOf(vector) - 1) < 1e-6)
    }
    assert.deepEqual(vectors[0], vectors[3])
    assert.notDeepEqual(vectors[0], vectors[1])
    for (const [index, text] of texts.entries()) {
      const [alone] = await driver.embed([text])
      alone?.forEach((value, at) => assert.ok(Math.abs(value - (vectors[index]?.[at] ?? 9)) < 1e-5))
    }
  })

  test(`${name}: emoji, right-to-left text and a mebibyte without a space have vectors`, async () => {
    const texts = ['🚂🚃', 'שלום עולם', '\u200f', 'x'.repeat(1_048_576), 'a\ufffdb', '数据库']
    const vectors = await driver.embed(texts)
    for (const vector of vectors) assert.ok(Math.abs(lengthOf(vector) - 1) < 1e-6)
  })

  test(`${name}: many batches at once do not mix`, async () => {
    const batches = Array.from({ length: 8 }, (_, batch) => [`signal ${batch}`, `train ${batch}`])
    const together = await Promise.all(batches.map((texts) => driver.embed(texts)))
    for (const [index, texts] of batches.entries())
      assert.deepEqual(together[index], await driver.embed(texts))
  })

  test(`${name}: lists the available models`, async () => {
    const probe = await driver.probe()
    assert.ok(probe.hasModel)
    assert.ok(probe.models.length > 0)
    assert.ok(probe.embeddingModels.every((model) => probe.models.includes(model)))
  })
}

test('onnx: the vector is the mean over the tokens, ends included, padding left out', async () => {
  const [short, long] = await drivers['onnx']!.embed(['train', 'the train left the station'])
  const mean = (words: string[]): number[] => {
    const rows = words.map((word) => tiny.rowOf(word))
    const sums = Array.from({ length: 768 }, (_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0))
    const length = Math.hypot(...sums)
    return sums.map((value) => value / length)
  }
  const expect = (vector: Float32Array | undefined, words: string[]): void =>
    mean(words).forEach((value, at) => assert.ok(Math.abs(value - (vector?.[at] ?? 9)) < 1e-6))
  expect(short, ['[CLS]', 'train', '[SEP]'])
  expect(long, ['[CLS]', 'the', 'train', 'left', 'the', 'station', '[SEP]'])
})
