import { dimensions } from '#embeddings'

/**
 * Stored in place of 768 floats: signed bytes, up to a factor, on which the cosine does not depend. A quarter of the
 * room, and the order of similarities hardly changes.
 */
export function toBytes(vector: Float32Array): Buffer {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  const bytes = Buffer.alloc(dimensions)
  for (let index = 0; index < dimensions; index++)
    bytes.writeInt8(Math.round(((vector[index] ?? 0) / largest) * 127), index)
  return bytes
}

/** Cosine of a unit vector and a stored one. */
export function similarityTo(query: Float32Array, bytes: Buffer): number {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, dimensions)
  let sum = 0
  let square = 0
  for (let index = 0; index < dimensions; index++) {
    const value = values[index] ?? 0
    sum += value * (query[index] ?? 0)
    square += value * value
  }
  return square === 0 ? 0 : sum / Math.sqrt(square)
}

/**
 * The signs as PostgreSQL writes a bit string. The vector is turned first, which keeps all angles: models put much of
 * their meaning into few numbers, and a sign each would waste the others. Turned, half as many candidates give the
 * same recall (bench/search).
 */
export function toSigns(vector: Float32Array): string {
  const turned = turns.reduce(turn, vector)
  let signs = ''
  for (let index = 0; index < dimensions; index++) signs += (turned[index] ?? 0) > 0 ? '1' : '0'
  return signs
}

interface Turn {
  from: Uint16Array
  factor: Int8Array
}

const block = 256
/** Made once and never changed: signs that are stored were made with them. */
const turns: readonly Turn[] = [1, 2, 3].map(createTurn)

/** Numbers change places and signs, then each block is summed up and down in all combinations (Walsh-Hadamard). */
function turn(vector: Float32Array, { from, factor }: Turn): Float32Array {
  const turned = new Float32Array(dimensions)
  for (let index = 0; index < dimensions; index++)
    turned[index] = (vector[from[index] ?? 0] ?? 0) * (factor[index] ?? 1)
  for (let half = 1; half < block; half *= 2)
    for (let index = 0; index < dimensions; index++) {
      if (index & half) continue
      const [a, b] = [turned[index] ?? 0, turned[index + half] ?? 0]
      turned[index] = a + b
      turned[index + half] = a - b
    }
  return turned
}

function createTurn(seed: number): Turn {
  let state = seed
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const from = Uint16Array.from({ length: dimensions }, (_, index) => index)
  for (let index = dimensions - 1; index > 0; index--) {
    const other = below(index + 1)
    const kept = from[index] ?? 0
    from[index] = from[other] ?? 0
    from[other] = kept
  }
  return { from, factor: Int8Array.from({ length: dimensions }, () => (below(2) === 0 ? -1 : 1)) }
}

/** The last check before a vector is stored or compared. */
export function assertUnit(vector: Float32Array | undefined): asserts vector is Float32Array {
  if (vector?.length !== dimensions)
    throw new Error(`A vector has ${vector?.length ?? 'no'} numbers, not 768`)
  let square = 0
  for (const value of vector) square += value * value
  // NaN and infinity fail the comparison too.
  if (!(Math.abs(square - 1) < 0.01)) throw new Error(`The vector has length ${Math.sqrt(square)}, not 1`)
}
