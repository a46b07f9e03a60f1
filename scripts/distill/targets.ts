import { add, Matrix, meanRow, normalise, scale } from './matrix.ts'
import type { Teacher } from './teacher.ts'

export interface Targets {
  /** One unit vector a sentence: the teachers' centred unit vectors, one behind the other. */
  sentences: Matrix
  /** The same for single tokens, with the sentences' mean taken away. */
  tokens: Matrix
}

/** The vectors of these teachers lie in a narrow cone; without their mean they spread over the sphere. */
export async function makeTargets(
  teachers: readonly Teacher[],
  sentences: readonly string[],
  tokens: readonly string[],
): Promise<Targets> {
  const width = teachers.reduce((sum, teacher) => sum + teacher.width, 0)
  const made = { sentences: new Matrix(sentences.length, width), tokens: new Matrix(tokens.length, width) }
  let from = 0
  for (const teacher of teachers) {
    const taught = await teacher.embed(sentences)
    const mean = meanRow(taught)
    place(made.sentences, taught, mean, from)
    place(made.tokens, await teacher.embed(tokens.map((token) => token.replace(/^##/, ''))), mean, from)
    from += teacher.width
  }
  for (const matrix of [made.sentences, made.tokens])
    for (let row = 0; row < matrix.rows; row += 1) normalise(matrix.row(row))
  return made
}

function place(into: Matrix, taught: Matrix, mean: Float32Array, from: number): void {
  for (let row = 0; row < taught.rows; row += 1) {
    const vector = taught.row(row)
    add(vector, mean, -1)
    normalise(vector)
    into.row(row).set(vector, from)
  }
}

const smoothing = 1e-3

/** Rows to begin with: each token's vector, the smaller the more common the token is (smooth inverse frequency). */
export function firstRows(tokens: Matrix, encoded: readonly (readonly number[])[]): Matrix {
  const counts = new Float64Array(tokens.rows)
  let total = 0
  for (const ids of encoded)
    for (const id of ids) {
      counts[id] = (counts[id] ?? 0) + 1
      total += 1
    }
  const table = new Matrix(tokens.rows, tokens.width)
  table.values.set(tokens.values)
  counts.forEach((count, row) => scale(table.row(row), smoothing / (smoothing + count / total)))
  return table
}
