import { createHash } from 'node:crypto'
import { Fault, faults } from '#kernel/errors'
import { dimensions, type Embedder } from '#embeddings'

export interface TestEmbedder extends Embedder {
  /** Texts embedded as documents so far. */
  embedded: string[]
  isDown: boolean
  /** What it gives instead of a vector for texts that hold a word. */
  wrong: Map<string, Float32Array>
}

/** Each word has a random direction of its own; a text is the sum of its words. Deterministic, and fast. */
export function createTestEmbedder(name = 'words'): TestEmbedder {
  const embedder: TestEmbedder = {
    model: name,
    fingerprint: `test ${name}`,
    embedded: [],
    isDown: false,
    wrong: new Map(),
    async embed(texts, task) {
      if (embedder.isDown) throw new Fault(faults.unavailable, 'The runtime is down.')
      if (task === 'search_document') embedder.embedded.push(...texts)
      return texts.map((text) => {
        const wrong = [...embedder.wrong].find(([word]) => text.includes(word))
        return wrong ? wrong[1] : vectorOf(name, text)
      })
    },
  }
  return embedder
}

function vectorOf(name: string, text: string): Float32Array {
  const sum = new Float32Array(dimensions)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['nothing']
  for (const word of words) directionOf(name, word).forEach((value, index) => (sum[index]! += value))
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

const directions = new Map<string, Float32Array>()

function directionOf(name: string, word: string): Float32Array {
  const key = `${name} ${word}`
  const known = directions.get(key)
  if (known) return known
  const bytes = Buffer.concat(
    Array.from({ length: dimensions / 32 }, (_, part) =>
      createHash('sha256').update(`${key} ${part}`).digest(),
    ),
  )
  const direction = Float32Array.from(bytes, (byte) => byte - 127.5)
  directions.set(key, direction)
  return direction
}
