import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { writeTinyModel } from '#test/runtime'
import { StaticModel } from '../../src/embeddings/drivers/static-model.ts'
import { distill } from './distill.ts'
import { lossOf } from './loss.ts'
import { dot, Matrix, normalise } from './matrix.ts'
import { openTeacher } from './teacher.ts'

test('the gradient is the slope of the loss', () => {
  const table = new Matrix(5, 8)
  table.values.forEach((_, at) => (table.values[at] = Math.sin(at * 7 + 1)))
  const targets = [3, 5, 9].map((seed) => {
    const target = Float32Array.from({ length: 8 }, (_, at) => Math.cos(at * seed))
    normalise(target)
    return target
  })
  const batch = {
    encoded: [
      [0, 1],
      [2, 3, 3],
      [4, 1],
    ],
    targets,
  }
  const { gradients } = lossOf(table, batch)
  const step = 1e-2
  for (const [row, at] of [
    [0, 2],
    [1, 5],
    [3, 0],
    [4, 7],
  ] as const) {
    const values = table.row(row)
    const before = values[at] ?? 0
    values[at] = before + step
    const above = lossOf(table, batch).loss
    values[at] = before - step
    const below = lossOf(table, batch).loss
    values[at] = before
    const slope = (above - below) / (2 * step)
    assert.ok(Math.abs(slope - (gradients.get(row)?.[at] ?? 9)) < 1e-3, `row ${row}, ${at}`)
  }
})

test('a small corpus and two tiny teachers give a model that works and has learnt', async () => {
  const words = ['train', 'station', 'signal', 'left', 'late', 'the', 'a', 'was', 'red', 'green']
  const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...words]
  const teachers = await Promise.all(
    (['mean', 'cls'] as const).map((pooling) =>
      openTeacher(writeTinyModel(join(temporaryFolder(), pooling), words, 384).folder, 'mean'),
    ),
  )
  const sentences = words.flatMap((first) => words.map((second) => `the ${first} was ${second}`))
  const losses: number[] = []
  const folder = temporaryFolder()
  await distill({
    teachers,
    sentences,
    vocabulary,
    name: 'tiny-static',
    folder,
    training: {
      epochs: 15,
      batch: 25,
      rate: 2e-3,
      seed: 1,
      onStep: (_step, _steps, loss) => losses.push(loss),
    },
  })
  assert.ok((losses.at(-1) ?? 1) < (losses[0] ?? 0) / 2, `${losses[0]} to ${losses.at(-1)}`)
  const model = new StaticModel(folder)
  const vectors = model.embed(['the train was late', 'the train was late', 'a signal left'], 100)
  const [first, same, other] = [0, 1, 2].map((index) => vectors.subarray(index * 768, (index + 1) * 768))
  assert.ok(first && same && other)
  for (const vector of [first, same, other]) normalise(vector)
  assert.ok(Math.abs(dot(first, same) - 1) < 1e-5)
  assert.ok(dot(first, other) < 0.9)
})
