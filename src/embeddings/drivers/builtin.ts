import { join } from 'node:path'
import { unitVectorsIn } from '../vectors.ts'
import { dimensions } from '../embedder.ts'
import type { Driver } from './driver.ts'
import { describeStaticModel } from './static-model.ts'
import type { StaticResult, StaticRequest } from './static-thread.ts'
import { createThread } from '#kernel/thread'

export const builtInFolder = join(import.meta.dirname, '../../../models/static-768')
/** More would only cost time: beyond this a sum of words says no more. */
const context = 8_192

const batchTexts = 256
/** Loading it again takes a fifth of a second. */
const idleMs = 60_000

export interface Tokens {
  tokens: number
  /** Where the text must end to have no more tokens than asked for. */
  end: number
}

export interface Builtin extends Driver {
  /** Counts tokens with the vocabulary that most embedding models share; the table is not loaded for it. */
  measure(texts: readonly string[], maxTokens: number): Promise<Tokens[]>
}

/** The built-in model. */
export function createBuiltin(folder = builtInFolder): Builtin {
  const thread = createThread<StaticRequest, StaticResult>({
    file: join(import.meta.dirname, 'static-thread.ts'),
    data: { folder },
    idleMs,
    // The thread makes much garbage and keeps little.
    maxYoungGenerationSizeMb: 8,
  })
  const free: SharedArrayBuffer[] = []
  return {
    // A batch cannot be cancelled, so it is small: a quarter of a second at most.
    limits: { texts: batchTexts, bytes: 262_144, concurrency: 2 },
    async embed(texts) {
      const into = free.pop() ?? new SharedArrayBuffer(batchTexts * dimensions * 4)
      const result = await thread.call({ do: 'embed', texts, maxTokens: context, into })
      if (!('embedded' in result)) throw new Error('The thread gave no vectors.')
      const sums = new Float32Array(into, 0, result.embedded * dimensions).slice()
      free.push(into)
      return unitVectorsIn(sums, texts.length)
    },
    async measure(texts, maxTokens) {
      const result = await thread.call({ do: 'measure', texts, maxTokens })
      if (!('measured' in result)) throw new Error('The thread counted nothing.')
      return result.measured
    },
    async probe() {
      const model = `${describeStaticModel(folder).name}:latest`
      return { models: [model], embeddingModels: [model], hasModel: true, digest: null }
    },
    close: () => thread.close(),
  }
}
