import { dimensions } from './embedder.ts'

/** What came back is not a vector that may be passed on. */
export class BadVector extends Error {
  /** The model itself is wrong, not a single text. */
  readonly isModelWrong: boolean

  constructor(message: string, isModelWrong = false) {
    super(message)
    this.isModelWrong = isModelWrong
  }
}

/** Checks one vector and gives it unit length. Nothing leaves the feature without having passed here. */
export function unitVector(values: ArrayLike<unknown>, isModelWrong = false): Float32Array {
  if (values.length !== dimensions)
    throw new BadVector(
      `The model gave a vector of ${values.length} numbers; ${dimensions} are needed. Choose another EMBEDDING_MODEL.`,
      isModelWrong,
    )
  const vector = new Float32Array(dimensions)
  let squares = 0
  for (let index = 0; index < dimensions; index += 1) {
    const value = values[index]
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new BadVector(`The model gave a vector in which number ${index} is not finite.`)
    squares += value * value
  }
  const length = Math.sqrt(squares)
  if (!(length > 0) || !Number.isFinite(length))
    throw new BadVector(`The model gave a vector ${length === 0 ? 'of zeros' : 'without a finite length'}.`)
  for (let index = 0; index < dimensions; index += 1) vector[index] = (values[index] as number) / length
  return vector
}

/** As many vectors as texts, each of them good. */
export function unitVectors(answer: unknown, count: number): Float32Array[] {
  if (!Array.isArray(answer)) throw new BadVector('The runtime gave no list of vectors.')
  if (answer.length !== count)
    throw new BadVector(`The runtime gave ${answer.length} vectors for ${count} texts.`)
  const vectors = answer.map((values: unknown) => {
    if (Array.isArray(values)) return values as unknown[]
    throw new BadVector('The runtime gave something that is not a vector.')
  })
  const isModelWrong = vectors.every(({ length }) => length !== dimensions)
  return vectors.map((values) => unitVector(values, isModelWrong))
}
