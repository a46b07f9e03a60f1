import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#kernel/config'
import type { Log } from '#kernel/log'
import { builtInFolder } from './drivers/builtin.ts'
import type { Probe } from './drivers/driver.ts'
import { fingerprintOf, openModelFolder } from './drivers/model-folder.ts'
import { ollama } from './drivers/ollama.ts'
import { requireOnnxRuntime } from './drivers/onnx.ts'
import { openai, openaiByDemand } from './drivers/openai.ts'
import { createRuntimeHttp } from './drivers/runtime-http.ts'
import { describeStaticModel } from './drivers/static-model.ts'
import type { Wire } from './drivers/wire.ts'

export type DriverName = 'ollama' | 'openai' | 'builtin' | 'onnx'

/** What makes the vectors, from this start on. */
export interface Choice {
  driver: DriverName
  model: string
  fingerprint: string
  /** Of the runtime's weights, if it reports one. */
  digest: string | null
}

export const pulledModel = 'nomic-embed-text-v1.5'

/** Decides by the settings, and for `auto` by which runtime responds now. */
export async function chooseRuntime(config: Config, log: Log, before: Choice | undefined): Promise<Choice> {
  const { RUNTIME, EMBEDDING_MODEL: model } = config
  if (RUNTIME === 'ollama') return byRuntime('ollama', model, await find(config, ollama), before)
  if (RUNTIME === 'openai') return byRuntime('openai', model, await find(config, openaiByDemand), before)
  const folder = folderFor(config)
  if (folder !== undefined) return byFolder(folder)
  if (RUNTIME === 'auto') {
    for (const [name, wire] of [
      ['ollama', ollama],
      ['openai', openai],
    ] as const) {
      const found = await find(config, wire)
      if (found?.hasModel) return byRuntime(name, model, found, undefined)
    }
    log.warn(
      { runtimes: config.RUNTIME_URL, model },
      'no embedding runtime has the model: the built-in model is used until the next start',
    )
  }
  const { name, fingerprint } = describeStaticModel(builtInFolder)
  return { driver: 'builtin', model: name, fingerprint, digest: null }
}

/** A model that is named by its folder, or with RUNTIME=builtin the one that was pulled. */
export function folderFor(config: Config): string | undefined {
  const { RUNTIME, EMBEDDING_MODEL: model } = config
  if (RUNTIME === 'ollama' || RUNTIME === 'openai') return undefined
  if (/^(\.{0,2}[\\/]|[a-z]:[\\/])/i.test(model)) return model
  const pulled = join(modelDirectory(config), pulledModel)
  const isWanted = /^nomic-embed-text(-v1\.5)?(:latest)?$/.test(model)
  return RUNTIME === 'builtin' && isWanted && existsSync(pulled) ? pulled : undefined
}

export const modelDirectory = (config: Config): string => config.MODEL_DIR ?? join(config.DATA_DIR, 'models')

export const runtimeUrls = (config: Config): string[] => config.RUNTIME_URL.split(',')

async function byFolder(path: string): Promise<Choice> {
  const model = openModelFolder(path)
  requireOnnxRuntime()
  return { driver: 'onnx', model: model.name, fingerprint: await fingerprintOf(model), digest: null }
}

/** A runtime that the settings name is chosen even when it is unavailable at the start: it may come back. */
function byRuntime(
  driver: 'ollama' | 'openai',
  model: string,
  found: Probe | undefined,
  before: Choice | undefined,
): Choice {
  if (!found?.hasModel && before) return before
  const digest = found?.digest ?? null
  return {
    driver,
    model,
    digest,
    fingerprint: [driver, model, digest?.slice(0, 16)].filter(Boolean).join(':'),
  }
}

/** The first runtime of the list that has the model, else the first that responds. */
async function find(config: Config, wire: Wire): Promise<Probe | undefined> {
  const options = { timeoutMs: config.EMBEDDING_TIMEOUT_MS, apiKey: config.RUNTIME_API_KEY }
  const probes = await Promise.all(
    runtimeUrls(config).map(async (url) => {
      const http = createRuntimeHttp(url, options)
      try {
        return await wire.probe(http, config.EMBEDDING_MODEL)
      } catch {
        // Nothing there, or another API: either way it is not this runtime.
        return undefined
      } finally {
        await http.close()
      }
    }),
  )
  return probes.find((probe) => probe?.hasModel) ?? probes.find((probe) => probe !== undefined)
}
