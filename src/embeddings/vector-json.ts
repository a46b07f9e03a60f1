import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Eight decimals: as exact as a 32-bit float of a unit vector, and half as long in JSON. */
export function numbersOf(vector: Float32Array): number[] {
  return Array.from(vector, (value) => Math.round(value * 1e8) / 1e8)
}

const vectorsAtOnce = 32

/** `{"embeddings":[[…],…], …rest}` as a stream, so that a large response does not block other requests. */
export function batchJson(vectors: readonly Float32Array[], rest: object): Readable {
  return Readable.from(pieces(vectors, rest))
}

async function* pieces(vectors: readonly Float32Array[], rest: object): AsyncGenerator<string> {
  yield '{"embeddings":['
  for (let from = 0; from < vectors.length; from += vectorsAtOnce) {
    const some = vectors.slice(from, from + vectorsAtOnce).map((vector) => JSON.stringify(numbersOf(vector)))
    yield `${from === 0 ? '' : ','}${some.join(',')}`
    await nextTurn()
  }
  yield `],${JSON.stringify(rest).slice(1)}`
}
