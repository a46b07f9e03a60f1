import { lossOf } from './loss.ts'
import { Matrix } from './matrix.ts'

export interface Training {
  epochs: number
  batch: number
  rate: number
  /** So that the same input gives the same model. */
  seed: number
  onStep(step: number, steps: number, loss: number): void
}

const [keepMean, keepSquare, tiny] = [0.9, 0.999, 1e-8]

/** Adam, with a rate that falls to 0; only rows that a batch uses are touched. */
export function train(
  table: Matrix,
  encoded: readonly (readonly number[])[],
  targets: Matrix,
  { epochs, batch, rate, seed, onStep }: Training,
): void {
  const [means, squares] = [new Matrix(table.rows, table.width), new Matrix(table.rows, table.width)]
  const steps = epochs * Math.ceil(encoded.length / batch)
  const random = randomFrom(seed)
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const order = shuffled(encoded.length, random)
    for (let from = 0; from < order.length; from += batch) {
      const some = order.slice(from, from + batch)
      const { loss, gradients } = lossOf(table, {
        encoded: some.map((index) => encoded[index] ?? []),
        targets: some.map((index) => targets.row(index)),
      })
      step += 1
      const pace = rate * (1 - (step - 1) / steps)
      const [unbiasMean, unbiasSquare] = [1 - keepMean ** step, 1 - keepSquare ** step]
      for (const [id, gradient] of gradients) {
        const [row, mean, square] = [table.row(id), means.row(id), squares.row(id)]
        gradient.forEach((slope, at) => {
          mean[at] = keepMean * (mean[at] as number) + (1 - keepMean) * slope
          square[at] = keepSquare * (square[at] as number) + (1 - keepSquare) * slope * slope
          const way = (mean[at] as number) / unbiasMean
          row[at] =
            (row[at] as number) - (pace * way) / (Math.sqrt((square[at] as number) / unbiasSquare) + tiny)
        })
      }
      onStep(step, steps, loss)
    }
  }
}

/** A small generator with a seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const held = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = held
  }
  return order
}
