import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { listDefaults } from './default-model-store.ts'
import { retirementOf } from './newest-model.ts'
import { createRegistry } from './registry.ts'

export interface EndingModel {
  model: string
  /** YYYY-MM-DD. */
  date: string
}

/** Of the models that are configured, and those given, the ones whose provider has announced an end, the next first. */
export async function modelsThatEnd(
  config: Config,
  database: Database,
  used: readonly string[],
): Promise<EndingModel[]> {
  const { builtIn } = createRegistry(config)
  const configured = [
    config.AGENT_MODEL,
    config.STANDUP_MODEL,
    config.STANDUP_WEB_MODEL,
    config.TRANSCRIPTS_SUMMARY_MODEL,
  ]
  const names = new Set([...configured, ...(await listDefaults(database.tables())), ...used])
  return [...names]
    .flatMap((model) => {
      if (model === undefined) return []
      const dates = builtIn.flatMap(({ provider }) => retirementOf(provider, model) ?? [])
      return dates.map((date) => ({ model, date }))
    })
    .toSorted((one, other) => one.date.localeCompare(other.date))
}
