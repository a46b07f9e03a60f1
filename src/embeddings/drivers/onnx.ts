import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { unitVectorsIn } from '../vectors.ts'
import { StartFault } from '#kernel/errors'
import { RuntimeDown, type Driver } from './driver.ts'
import type { ModelFolder } from './model-folder.ts'
import type { OnnxResult, OnnxData, OnnxRequest } from './onnx-thread.ts'
import { createThread } from '#kernel/thread'

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
  const thread = createThread<OnnxRequest, OnnxResult>({
    file: join(import.meta.dirname, 'onnx-thread.ts'),
    data,
    idleMs,
    // The thread makes much garbage and keeps little.
    maxYoungGenerationSizeMb: 8,
  })
  return {
    limits: { texts: 16, bytes: 262_144, concurrency: 1 },
    async embed(texts) {
      const result = await thread.call({ texts, maxTokens: context })
      // No text is to blame for a model that cannot be loaded.
      if ('unusable' in result)
        throw new RuntimeDown(`The model in ${model.folder} cannot be used: ${result.unusable}.`)
      return unitVectorsIn(result.vectors, texts.length)
    },
    async probe() {
      const name = `${model.name}:latest`
      return { models: [name], embeddingModels: [name], hasModel: true, digest: null }
    },
    close: () => thread.close(),
  }
}

/** 288 MB that only ONNX models need: a production installation does not have it. */
export const installOnnxRuntime = 'npm install --no-save --ignore-scripts onnxruntime-node@1.30.0'

export function hasOnnxRuntime(): boolean {
  try {
    import.meta.resolve('onnxruntime-node')
    return true
  } catch {
    return false
  }
}

/** The package is optional, so that an installation without it still has everything else. */
export function requireOnnxRuntime(): void {
  if (hasOnnxRuntime()) return
  throw new StartFault(
    `An ONNX model needs the package onnxruntime-node, which is not installed. Run ${installOnnxRuntime}, or use a runtime (RUNTIME=ollama), or the built-in model (unset EMBEDDING_MODEL).`,
  )
}
