import type { Config } from '#kernel/config'
import type { Log } from '#kernel/log'
import type { Choice } from './choose-runtime.ts'
import type { Health } from './contract.ts'
import { createEmbedder } from './create-embedder.ts'
import { createBuiltin } from './drivers/builtin.ts'
import { RuntimeDown, type Probe } from './drivers/driver.ts'
import type { Embedder } from './embedder.ts'
import { runtimeUnavailable } from './faults.ts'
import { createHealth } from './health.ts'
import { openDriver } from './open-driver.ts'

export interface ServiceDeps {
  config: Config
  log: Log
  version: string
}

/** Everything that exists once the runtime or model is chosen. */
export interface Service {
  choice: Choice
  embedder: Embedder
  state: ReturnType<typeof createEmbedder>['state']
  health(): Promise<Health>
  models(): Promise<Probe>
  /** Tokens of all texts together. */
  countTokens(texts: readonly string[], signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

export function createService(choice: Choice, { config, log, version }: ServiceDeps): Service {
  // Also the tokenizer of the other drivers; its thread and its table are created when they are first used.
  const builtin = createBuiltin()
  const { driver, isPrefixed } = openDriver(choice, config, log, builtin)
  const { embedder, state } = createEmbedder({
    driver,
    model: choice.model,
    fingerprint: choice.fingerprint,
    isPrefixed,
    cacheBytes: config.EMBEDDING_CACHE_BYTES,
  })
  return {
    choice,
    embedder,
    state,
    health: createHealth(config, version, choice, driver),
    async models() {
      try {
        return await driver.probe()
      } catch (error) {
        throw error instanceof RuntimeDown ? runtimeUnavailable(error) : error
      }
    },
    async countTokens(texts, signal) {
      let sum = 0
      // In parts, so that others get their turn between them.
      for (const part of inParts(texts)) {
        signal.throwIfAborted()
        const measured = await builtin.measure(part, Number.MAX_SAFE_INTEGER)
        for (const { tokens } of measured) sum += tokens
      }
      return sum
    },
    async close() {
      await Promise.all([driver.close(), builtin.close()])
    },
  }
}

const partCharacters = 262_144

function inParts(texts: readonly string[]): string[][] {
  const parts: string[][] = []
  let size = Infinity
  for (const text of texts) {
    if (size + text.length > partCharacters) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(text)
    size += text.length
  }
  return parts
}
