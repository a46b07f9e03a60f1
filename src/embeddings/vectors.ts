import { dimensions } from './embedder.ts'

/** What came back is not a vector that may be passed on. */
export class BadVector extends Error {
  /** The model itself is wrong, not a single text: a plain text has no good vector either. */
  readonly isModelWrong: boolean

  constructor(message: string, isModelWrong = false) {
    super(message)
    this.isModelWrong = isModelWrong
  }
}

/** Checks one vector and gives it unit length, in place. Nothing leaves the feature without having passed here. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0
  for (let index = 0; index < dimensions; index += 1) {
    const value = vector[index] as number
    if (!Number.isFinite(value))
      throw new BadVector(`The model gave a vector in which number ${index} is not finite.`)
    squares += value * value
  }
  const length = Math.sqrt(squares)
  if (!(length > 0) || !Number.isFinite(length))
    throw new BadVector(`The model gave a vector ${length === 0 ? 'of zeros' : 'without a finite length'}.`)
  for (let index = 0; index < dimensions; index += 1) vector[index] = (vector[index] as number) / length
  return vector
}

/** One behind the other in one piece of memory, as the models in threads give them. */
export function unitVectorsIn(values: Float32Array, count: number): Float32Array[] {
  if (values.length !== count * dimensions)
    throw new BadVector(`The model gave ${values.length} numbers for ${count} vectors.`)
  return Array.from({ length: count }, (_, index) =>
    toUnitLength(values.subarray(index * dimensions, (index + 1) * dimensions)),
  )
}

function fromNumbers(values: readonly unknown[]): Float32Array {
  if (values.length !== dimensions)
    throw new BadVector(
      `The model gave a vector of ${values.length} numbers; ${dimensions} are needed. Choose another EMBEDDING_MODEL.`,
    )
  // What is not a number becomes one that is not finite, and is refused with it.
  return toUnitLength(Float32Array.from(values, (value) => (typeof value === 'number' ? value : NaN)))
}

/** As many vectors as texts, each of them good. */
export function unitVectors(response: unknown, count: number): Float32Array[] {
  if (!Array.isArray(response)) throw new BadVector('The runtime gave no list of vectors.')
  if (response.length !== count)
    throw new BadVector(`The runtime gave ${response.length} vectors for ${count} texts.`)
  return response.map((values: unknown) => {
    if (Array.isArray(values)) return fromNumbers(values)
    throw new BadVector('The runtime gave something that is not a vector.')
  })
}
