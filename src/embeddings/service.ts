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
  countTokens(texts: readonly string[]): Promise<number>
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
    async countTokens(texts) {
      const measured = await builtin.measure(texts, Number.MAX_SAFE_INTEGER)
      return measured.reduce((sum, { tokens }) => sum + tokens, 0)
    },
    async close() {
      await Promise.all([driver.close(), builtin.close()])
    },
  }
}
