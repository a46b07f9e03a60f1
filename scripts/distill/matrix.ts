/** Rows of equal width, one behind the other. */
export class Matrix {
  readonly rows: number
  readonly width: number
  readonly values: Float32Array<ArrayBuffer>

  constructor(rows: number, width: number) {
    this.rows = rows
    this.width = width
    this.values = new Float32Array(rows * width)
  }

  row(index: number): Float32Array<ArrayBuffer> {
    return this.values.subarray(index * this.width, (index + 1) * this.width)
  }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number)
  return sum
}

/** `target += factor × source` */
export function add(target: Float32Array, source: Float32Array, factor = 1): void {
  for (let index = 0; index < target.length; index += 1)
    target[index] = (target[index] as number) + factor * (source[index] as number)
}

export function scale(vector: Float32Array, factor: number): void {
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] as number) * factor
}

/** Gives the vector length 1, and gives the length it had. */
export function normalise(vector: Float32Array): number {
  const length = Math.sqrt(dot(vector, vector))
  scale(vector, 1 / (length || 1))
  return length
}

export function meanRow(matrix: Matrix): Float32Array<ArrayBuffer> {
  const mean = new Float32Array(matrix.width)
  for (let index = 0; index < matrix.rows; index += 1) add(mean, matrix.row(index), 1 / matrix.rows)
  return mean
}
