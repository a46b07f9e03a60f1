import { RuntimeDown, type Driver } from './drivers/driver.ts'
import { BadVector } from './vectors.ts'

/** A vector for each text, or why there is none. A batch that fails is split until the bad text is alone. */
export async function embedBatch(
  driver: Driver,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | Error)[]> {
  try {
    return await driver.embed(texts, signal)
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    const isForAll = error instanceof RuntimeDown || (error instanceof BadVector && error.isModelWrong)
    if (isForAll || signal?.aborted || texts.length === 1) return texts.map(() => error)
    const middle = Math.ceil(texts.length / 2)
    const first = await embedBatch(driver, texts.slice(0, middle), signal)
    return [...first, ...(await embedBatch(driver, texts.slice(middle), signal))]
  }
}
