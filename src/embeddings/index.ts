import type { Kysely } from 'kysely'
import type { EmbeddingCalls } from '#gateway'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Http } from '#kernel/http'
import type { Log } from '#kernel/log'
import { readChoice, saveChoice, type ChoiceTables } from './choice-store.ts'
import { chooseRuntime, type Choice } from './choose-runtime.ts'
import { createTokenDecoder } from './decode-tokens.ts'
import type { Embedder } from './embedder.ts'
import { embeddingRoutes } from './routes.ts'
import { createService, type Service } from './service.ts'

/** @public */
export { registryEntry } from './registry-entry.ts'
export { dimensions, type Embedder } from './embedder.ts'
export { TextFault } from './faults.ts'
export { signalOf } from './signal-of.ts'

export interface EmbeddingsDeps {
  /** How requests are logged, and sent to providers. */
  calls: EmbeddingCalls
  config: Config
  database: Database
  log: Log
  version: string
}

/**
 * Real vectors of 768 numbers from the first minute: from a local runtime or the built-in model.
 *
 * @example
 * const { embedder } = createEmbeddings({ ...kernel, calls: gateway.embeddings })
 * const [vector] = await embedder.embed(['a late train'], 'search_query') // Float32Array of 768
 */
export function createEmbeddings(deps: EmbeddingsDeps) {
  const { config, log } = deps
  const db: Kysely<ChoiceTables> = deps.database.tables()
  const settings = JSON.stringify([
    config.RUNTIME,
    config.RUNTIME_URL,
    config.EMBEDDING_MODEL,
    config.MODEL_DIR ?? '',
  ])
  const decoder = createTokenDecoder()
  let service: Service | undefined

  /** Runs once per start, in one process, for all its workers. */
  async function choose(): Promise<Choice> {
    const before = await readChoice(db, settings)
    const choice = await chooseRuntime(config, log, before)
    if (before && before.fingerprint !== choice.fingerprint)
      log.warn(
        { before: before.fingerprint, now: choice.fingerprint },
        'the embedding model has changed: everything indexed with the previous one must be embedded again',
      )
    await saveChoice(db, settings, choice)
    return choice
  }

  function running(): Service {
    if (!service) throw new Error('Embeddings have not been started.')
    return service
  }

  const embedder: Embedder = {
    get model() {
      return running().embedder.model
    },
    get fingerprint() {
      return running().embedder.fingerprint
    },
    embed: (texts, task, options) => running().embedder.embed(texts, task, options),
  }

  return {
    name: 'embeddings',
    role: 'embeddings' as const,
    embedder,
    /** Undefined where this process serves no embeddings. */
    runningModel: (): string | undefined => service?.embedder.model,
    async prepare(): Promise<void> {
      await choose()
    },
    queues: {
      embeddings: (): number => {
        const { interactive = 0, background = 0 } = service?.state().queue ?? {}
        return interactive + background
      },
    },
    routes: (app: Http): void =>
      embeddingRoutes(app, {
        service: running,
        calls: deps.calls,
        decodeTokens: decoder.decode,
        embeddingModel: config.EMBEDDING_MODEL,
      }),
    async start(): Promise<void> {
      const choice = (await readChoice(db, settings)) ?? (await choose())
      service = createService(choice, deps)
      const { driver, model, fingerprint } = choice
      log.info({ driver, model, fingerprint }, 'embeddings are ready')
    },
    async stop(): Promise<void> {
      await Promise.all([service?.close(), decoder.close()])
    },
  }
}
