import type { Config } from '#kernel/config'
import type { Log } from '#kernel/log'
import { folderFor, runtimeUrls, type Choice } from './choose-runtime.ts'
import type { Builtin } from './drivers/builtin.ts'
import type { Driver } from './drivers/driver.ts'
import { isTrainedWithPrefixes, openModelFolder } from './drivers/model-folder.ts'
import { ollama } from './drivers/ollama.ts'
import { createOnnx } from './drivers/onnx.ts'
import { openaiByDemand } from './drivers/openai.ts'
import { createRuntimes } from './drivers/runtimes.ts'

/** The two tokens at the start and the end of every text. */
const endTokens = 2

interface Opened {
  driver: Driver
  isPrefixed: boolean
}

/** Makes ready what was chosen. */
export function openDriver(choice: Choice, config: Config, log: Log, builtin: Builtin): Opened {
  const maxTokens = config.EMBEDDING_CONTEXT
  if (choice.driver === 'builtin') return { driver: builtin, isPrefixed: false }
  if (choice.driver === 'onnx') {
    const model = openModelFolder(folderFor(config) ?? config.EMBEDDING_MODEL)
    return { driver: createOnnx(model, maxTokens), isPrefixed: model.isPrefixed }
  }
  const driver = createRuntimes(choice.driver === 'ollama' ? ollama : openaiByDemand, {
    urls: runtimeUrls(config),
    model: choice.model,
    digest: choice.digest,
    timeoutMs: config.EMBEDDING_TIMEOUT_MS,
    apiKey: config.RUNTIME_API_KEY,
    log,
    cut: (texts) => cutTexts(builtin, texts, maxTokens - endTokens),
  })
  return { driver, isPrefixed: isTrainedWithPrefixes(choice.model) }
}

/** Runtimes differ in what they do with a text that is too long, so none gets one. */
async function cutTexts(
  builtin: Builtin,
  texts: readonly string[],
  maxTokens: number,
): Promise<readonly string[]> {
  // No token is shorter than a byte.
  const long = texts.filter((text) => Buffer.byteLength(text) > maxTokens)
  if (long.length === 0) return texts
  const measured = await builtin.measure(long, maxTokens)
  const ends = new Map(long.map((text, index) => [text, measured[index]?.end]))
  return texts.map((text) => text.slice(0, ends.get(text)))
}
