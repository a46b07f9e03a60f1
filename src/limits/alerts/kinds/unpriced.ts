import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { plural } from '../words.ts'

const dayMs = 24 * 3_600_000
const lookBackDays = 7
export const unpricedSince = (now: Date): Date => new Date(now.getTime() - lookBackDays * dayMs)
/** Of a model; several have the same page. */
export const pricePath = (model: string): string => `/usage/prices?q=${encodeURIComponent(model)}`

/** Requests for a model without a price: their cost is unknown, so spend and limits of money leave them out. */
export const unpricedModel: Kind<ConfigOf<'unpriced_model'>> = {
  severity: 'warning',
  isOnce: false,
  ends: 'with a message',
  async find({ db, groupId, now, sources }): Promise<Finding[]> {
    const rows = await unpricedModels(db, groupId, unpricedSince(now))
    return rows
      .filter(({ provider, model }) => !sources.hasPrice(groupId, provider, model))
      .map(({ provider, model, requests }) => ({
        thing: `model:${provider}/${model}`,
        title: `${model} has no price: the cost of ${plural(requests, 'request')} in ${lookBackDays} days is not known`,
        text: 'Set a price. Requests made before it stay without a cost.',
        path: pricePath(model),
        data: { provider, model, requests },
      }))
  },
  over: ({ data }) => `${String(data['model'])} has a price, or is no longer used`,
}

/** Requests that failed before they used anything have no cost either. */
export async function unpricedModels(
  db: Db,
  groupId: string,
  since: Date,
): Promise<{ provider: string; model: string; requests: number }[]> {
  const { rows } = await sql<{ provider: string; model: string; requests: number }>`
    select provider, model, sum(unpriced_requests)::int as requests from alerts.usage_hours
    where group_id = ${groupId} and hour >= ${since} and not is_error and unpriced_requests > 0
      and provider is not null
    group by provider, model order by requests desc, provider, model limit 100`.execute(db)
  return rows
}
