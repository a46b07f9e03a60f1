import { RuntimeDown, type Driver } from './drivers/driver.ts'
import { BadVector } from './vectors.ts'

/** Every model has a vector for it. */
const plainText = 'hello'

/**
 * A vector for each text, or why there is none. A batch that fails is split until the bad text is alone. A text is to
 * blame only if it fails twice while a plain one gets its vector: otherwise the runtime or the model is.
 */
export async function embedBatch(
  driver: Driver,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<(Float32Array | Error)[]> {
  const vectors = await attempt(driver, texts, signal)
  if (!(vectors instanceof Error)) return vectors
  const failure = signal?.aborted ? vectors : await failureOfAll(driver, vectors, signal)
  if (failure) return texts.map(() => failure)
  if (texts.length === 1) {
    const again = await attempt(driver, texts, signal)
    return again instanceof Error ? [again] : again
  }
  const middle = Math.ceil(texts.length / 2)
  const first = await embedBatch(driver, texts.slice(0, middle), signal)
  return [...first, ...(await embedBatch(driver, texts.slice(middle), signal))]
}

async function attempt(
  driver: Driver,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[] | Error> {
  try {
    return await driver.embed(texts, signal)
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}

/** Undefined: other texts have vectors. */
async function failureOfAll(driver: Driver, error: Error, signal?: AbortSignal): Promise<Error | undefined> {
  if (error instanceof RuntimeDown) return error
  const plain = await attempt(driver, [plainText], signal)
  if (!(plain instanceof Error)) return undefined
  if (plain instanceof RuntimeDown) return plain
  if (plain instanceof BadVector) return new BadVector(plain.message, true)
  return new RuntimeDown(plain.message, { cause: plain })
}
