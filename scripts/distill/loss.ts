import { add, dot, Matrix, normalise, scale } from './matrix.ts'

const similarityWeight = 2

export interface Batch {
  /** Tokens of each sentence. */
  encoded: readonly (readonly number[])[]
  /** The unit vector that each should have. */
  targets: readonly Float32Array[]
}

/**
 * Mean of (1 − cosine) plus twice the mean squared error of the similarities inside the batch; and its gradient for
 * each row of the table that the batch uses.
 */
export function lossOf(table: Matrix, { encoded, targets }: Batch) {
  const count = encoded.length
  const student = new Matrix(count, table.width)
  const lengths = encoded.map((ids, index) => {
    for (const id of ids) add(student.row(index), table.row(id))
    return normalise(student.row(index))
  })
  const slopes = new Matrix(count, table.width)
  let loss = 0
  for (let i = 0; i < count; i += 1) {
    const [own, target] = [student.row(i), targets[i] ?? new Float32Array(table.width)]
    loss += (1 - dot(own, target)) / count
    add(slopes.row(i), target, -1 / count)
    for (let j = 0; j < count; j += 1) {
      const error = dot(own, student.row(j)) - dot(target, targets[j] ?? target)
      loss += (similarityWeight * error * error) / (count * count)
      add(slopes.row(i), student.row(j), (similarityWeight * 4 * error) / (count * count))
    }
  }
  return { loss, gradients: toRows(encoded, student, slopes, lengths, table.width) }
}

/** Through the division by the length, to every token of the sentence. */
function toRows(
  encoded: readonly (readonly number[])[],
  student: Matrix,
  slopes: Matrix,
  lengths: readonly number[],
  width: number,
): Map<number, Float32Array> {
  const gradients = new Map<number, Float32Array>()
  encoded.forEach((ids, index) => {
    const [own, slope] = [student.row(index), slopes.row(index)]
    add(slope, own, -dot(slope, own))
    scale(slope, 1 / (lengths[index] || 1))
    for (const id of ids) {
      const gradient = gradients.get(id) ?? new Float32Array(width)
      add(gradient, slope)
      gradients.set(id, gradient)
    }
  })
  return gradients
}
