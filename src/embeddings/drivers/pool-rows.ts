import { dimensions } from '../embedder.ts'

/** The mean over the tokens of one row, padding left out. */
export function poolRows(
  hidden: Float32Array,
  mask: BigInt64Array,
  row: number,
  length: number,
): Float32Array {
  const sum = new Float32Array(dimensions)
  let count = 0
  for (let token = 0; token < length; token += 1) {
    if (mask[row * length + token] === 0n) continue
    count += 1
    const from = (row * length + token) * dimensions
    for (let index = 0; index < dimensions; index += 1)
      sum[index] = (sum[index] as number) + (hidden[from + index] as number)
  }
  return sum.map((value) => value / Math.max(1, count))
}
