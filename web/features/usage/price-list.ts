import type { ByModel, Price } from '#usage/contract'

export interface PricedModel {
  model: string
  provider: string | null
  price: Price | null
  /** Requests of the last 30 days, and how many of them had no price. */
  requests: number
  unpriced: number
  cost: string | null
}

/** Every model that has a price or was used: first those without a price, then the most used. */
export function joinPrices(prices: readonly Price[], used: readonly ByModel[]): PricedModel[] {
  const byModel = new Map(prices.map((price) => [price.model_id, price]))
  // A name whose requests all failed is probably a typo and needs no price.
  const served = used.filter(({ model, requests, errors }) => errors < requests || byModel.has(model))
  const fromUse = served.map((sums) => ({
    model: sums.model,
    provider: sums.provider,
    price: byModel.get(sums.model) ?? null,
    requests: sums.requests,
    unpriced: sums.errors < sums.requests ? sums.unpriced_requests : 0,
    cost: sums.total_cost,
  }))
  const seen = new Set(used.map(({ model }) => model))
  const others = prices
    .filter(({ model_id }) => !seen.has(model_id))
    .map((price) => ({ model: price.model_id, provider: null, price, requests: 0, unpriced: 0, cost: null }))
  const isUnpriced = ({ price, unpriced }: PricedModel) => Number(price === null && unpriced > 0)
  return [...fromUse, ...others].sort(
    (one, other) =>
      isUnpriced(other) - isUnpriced(one) ||
      other.requests - one.requests ||
      one.model.localeCompare(other.model),
  )
}

export function selectPrices(models: readonly PricedModel[], words: string): PricedModel[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return models.filter(({ model, provider, price }) => {
    const text = `${model} ${provider ?? ''} ${price?.source ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
