import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { unitVectorsIn } from '../vectors.ts'
import type { Driver } from './driver.ts'
import type { ModelFolder } from './model-folder.ts'
import type { OnnxData, OnnxRequest } from './onnx-thread.ts'
import { createThread } from './thread.ts'

/** A large model takes seconds to load. */
const idleMs = 600_000

/** A transformer from a folder, run in this process by onnxruntime, in a thread of its own. */
export function createOnnx(model: ModelFolder, context: number): Driver {
  const data: OnnxData = {
    modelFile: model.modelFile,
    tokenizerFile: model.tokenizerFile,
    // One core is left to everything else; with all of them it was slower under load.
    threads: Math.max(1, availableParallelism() - 1),
  }
  const thread = createThread<OnnxRequest, Float32Array>(
    join(import.meta.dirname, 'onnx-thread.ts'),
    data,
    idleMs,
  )
  return {
    limits: { texts: 16, bytes: 262_144, concurrency: 1 },
    async embed(texts) {
      return unitVectorsIn(await thread.call({ texts, most: context }), texts.length)
    },
    async probe() {
      const name = `${model.name}:latest`
      return { models: [name], embeddingModels: [name], hasModel: true, digest: null }
    },
    close: () => thread.close(),
  }
}
