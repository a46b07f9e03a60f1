import type { ListedModel } from '../../catalog/models.ts'
import type { RouteRow } from './route-store.ts'

/** A route among the models: with what holds for every target that is listed. */
export function toListed(row: RouteRow, models: readonly ListedModel[]): ListedModel {
  const names = new Set(row.targets.map(({ model }) => model))
  const targets = models.flatMap(({ model }) => (names.has(model.id) ? [model] : []))
  const [first, ...others] = targets
  const capabilities = (first?.capabilities ?? []).filter((each) =>
    others.every((model) => model.capabilities.includes(each)),
  )
  return {
    provider: 'signalbox',
    audioSecondPrice: null,
    model: {
      id: row.name,
      created: Math.floor(row.created_at.getTime() / 1000),
      ownedBy: 'signalbox',
      name: null,
      contextLength: smallest(targets.map(({ contextLength }) => contextLength)),
      maxOutput: smallest(targets.map(({ maxOutput }) => maxOutput)),
      inputPrice: null,
      outputPrice: null,
      cacheReadPrice: null,
      cacheWritePrice: null,
      requestPrice: null,
      capabilities,
    },
  }
}

function smallest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}
