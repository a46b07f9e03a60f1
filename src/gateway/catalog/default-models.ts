import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Vault } from '#vault'
import { defaultUses, type DefaultModels, type DefaultUse } from '../contract.ts'
import type { ModelInfo } from '../provider.ts'
import { newestModel, retirementOf } from './newest-model.ts'
import * as store from './default-model-store.ts'
import type { GatewayTables } from './provider-store.ts'
import type { Registry } from './registry.ts'

export interface DefaultModelDeps {
  db: Kysely<GatewayTables>
  config: Pick<Config, 'AGENT_MODEL' | 'STANDUP_MODEL'>
  registry: Registry
  vault: Pick<Vault, 'usableProviders'>
  models(groupId: string): Promise<{ provider: string; model: ModelInfo }[]>
  /** Throws where a request for the model would find nobody. */
  check(groupId: string, model: string): Promise<void>
}

/** A model that ends sooner is not suggested. */
const leavingMs = 60 * 86_400_000

/** Which model agents and stand-ups use that name none: the group's choice, the server's, or the newest capable one. */
export function createDefaultModels({ db, config, registry, vault, models, check }: DefaultModelDeps) {
  const ofServer = { agents: config.AGENT_MODEL, standups: config.STANDUP_MODEL }

  function retiresOn(groupId: string, model: string): string | null {
    const found = registry.resolve(groupId, model)
    return found ? retirementOf(found.route.provider, found.model) : null
  }

  function isLeaving(groupId: string, model: string): boolean {
    const date = retiresOn(groupId, model)
    return date !== null && Date.parse(date) - Date.now() < leavingMs
  }

  /** One for each provider that the group has a key for, in the order of the providers. */
  async function suggestions(groupId: string): Promise<DefaultModels['suggestions']> {
    const [usable, listed] = await Promise.all([vault.usableProviders(groupId), models(groupId)])
    return registry.list(groupId).flatMap(({ provider: { id, agentModels }, isActive }) => {
      if (!agentModels || !isActive || !usable.has(id)) return []
      const own = listed.filter(({ provider }) => provider === id).map(({ model }) => model)
      const newest = newestModel(own, agentModels, (model) => isLeaving(groupId, model))
      return [{ provider: id, model: newest ?? agentModels.fallback }]
    })
  }

  async function list(groupId: string): Promise<DefaultModels> {
    const [chosen, suggested] = await Promise.all([store.readDefaults(db, groupId), suggestions(groupId)])
    const automatic = suggested[0]?.model ?? firstFallback(registry)
    const data = defaultUses.map((use) => {
      const ofGroup = chosen.get(use)
      const model = ofGroup ?? ofServer[use] ?? automatic
      const source = ofGroup
        ? ('group' as const)
        : ofServer[use]
          ? ('server' as const)
          : ('automatic' as const)
      return { use, model, source, retires_on: retiresOn(groupId, model) }
    })
    return { data, suggestions: suggested }
  }

  return {
    list,
    /** Without asking providers, where somebody has chosen. */
    async resolve(groupId: string, use: DefaultUse): Promise<string> {
      const chosen = (await store.readDefaults(db, groupId)).get(use) ?? ofServer[use]
      return chosen ?? (await suggestions(groupId))[0]?.model ?? firstFallback(registry)
    },
    /** Null: the model is chosen automatically again. 404 where no provider has the model. */
    async set(groupId: string, use: DefaultUse, model: string | null): Promise<DefaultModels> {
      if (model !== null) await check(groupId, model)
      await store.writeDefault(db, groupId, use, model)
      return list(groupId)
    },
  }
}

export type DefaultModelsOf = ReturnType<typeof createDefaultModels>

/** A group without any key: a request for it then says which key is missing. */
const firstFallback = ({ builtIn }: Registry): string =>
  builtIn.flatMap(({ provider }) => provider.agentModels?.fallback ?? [])[0] ?? ''
