import type { Kysely } from 'kysely'
import type { Membership, Principal } from '#kernel/auth'
import { invalid, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { ModelPrices, Price, PriceBody } from '../contract.ts'
import type { PriceRow } from '../row.ts'
import type { PriceSource, UsageTables } from '../tables.ts'
import type { CorrectCosts } from './correct-costs.ts'
import type { PriceCatalog } from './price-catalog.ts'
import { customPrice } from './price-input.ts'
import { isWithin, spanOf } from './price-table.ts'
import { endPrice, listPricesOf, openPrices } from './price-store.ts'

export interface PricingDeps {
  db: Kysely<UsageTables>
  events: Events
  prices: PriceCatalog
  correctCosts: CorrectCosts
  /** The provider that a group's requests for the model go to. */
  providerOf(groupId: string, model: string): string | null
}

/** The prices that apply to a group, and the group's custom prices. */
export function createPricing({ db, events, prices, providerOf, correctCosts }: PricingDeps) {
  async function set(principal: Principal, group: Membership, rows: PriceRow[]): Promise<Price[]> {
    await openPrices(db, rows, principal.user?.id ?? null)
    await prices.reload()
    const models = rows.map((row) => row.model_id)
    correctCosts({ groupId: group.id, models, at: new Date(rows[0]?.effective_from ?? Date.now()) })
    for (const model of models) emitChange(principal, group.id, model, 'set')
    return rows.map(toPrice)
  }

  function emitChange(principal: Principal, groupId: string, modelId: string, change: 'set' | 'ended'): void {
    const by = { by: principal.user?.id ?? null, apiKeyId: principal.key?.id ?? null }
    events.emit('price.changed', { groupId, ...by, modelId, change })
  }

  return {
    /** The price in force for each model that ever had one: custom before synchronised before built-in. */
    async list(groupId: string, model: string | undefined): Promise<Price[]> {
      const now = Date.now()
      const rows = (await listPricesOf(db, groupId, model)).filter((row) => isWithin(spanOf(row), now))
      const best = [...Map.groupBy(rows, (row) => row.model_id).values()].map((each) => first(each))
      return best.map(toPrice).toSorted((a, b) => (a.model_id < b.model_id ? -1 : 1))
    },

    async show(groupId: string, model: string): Promise<ModelPrices> {
      const history = await listPricesOf(db, groupId, model)
      const current = prices.priceFor(groupId, providerOf(groupId, model), model, new Date())
      if (!current && history.length === 0) throw notFound(`A price for "${model.slice(0, 100)}"`)
      return { model_id: model, current: current && toPrice(current.row), history: history.map(toPrice) }
    },

    async put(principal: Principal, group: Membership, model: string, body: PriceBody): Promise<Price> {
      if (model.length > 300) throw invalid('The id of a model has at most 300 characters.', 'model_id')
      const [made] = await set(principal, group, [customPrice(group.id, model, body, new Date())])
      if (!made) throw new Error('A price was set and not given back.')
      return made
    },

    /** All of them or none. */
    async putMany(
      principal: Principal,
      group: Membership,
      bodies: readonly (PriceBody & { model_id: string })[],
    ): Promise<Price[]> {
      const now = new Date()
      const seen = new Set<string>()
      for (const [index, { model_id: model, group_id: groupId }] of bodies.entries()) {
        if (seen.has(model)) throw invalid(`"${model}" is listed twice.`, `${index}.model_id`)
        if (groupId !== undefined && groupId !== group.id)
          throw invalid('Name the group once, in the query: ?group_id=…', `${index}.group_id`)
        seen.add(model)
      }
      const rows = bodies.map((body, index) => customPrice(group.id, body.model_id, body, now, `${index}.`))
      return set(principal, group, rows)
    },

    /** From now on the listed price applies again; older requests keep their costs. */
    async end(principal: Principal, group: Membership, model: string): Promise<void> {
      const at = new Date()
      const wasThere = await endPrice(db, { group_id: group.id, model_id: model, source: 'own' })
      if (!wasThere) throw notFound(`A custom price for "${model.slice(0, 100)}"`)
      await prices.reload()
      correctCosts({ groupId: group.id, models: [model], at })
      emitChange(principal, group.id, model, 'ended')
    },
  }
}

export type Pricing = ReturnType<typeof createPricing>

const rank: Record<PriceSource, number> = { own: 0, synced: 1, built_in: 2 }

/** The rows are newest first, and sorting by rank keeps that order. */
function first(rows: readonly PriceRow[]): PriceRow {
  return rows.toSorted((a, b) => rank[a.source] - rank[b.source])[0] as PriceRow
}

/** Converts a price row for a response. */
export function toPrice(row: PriceRow): Price {
  return {
    ...row,
    unit_prices: row.unit_prices && { ...row.unit_prices },
    tiers: row.tiers && [...row.tiers],
  }
}
