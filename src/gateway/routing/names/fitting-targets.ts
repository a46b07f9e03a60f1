import type { ListPrice } from '../../catalog/models.ts'
import type { Registry } from '../../catalog/registry.ts'
import { placeOf } from '../conversation.ts'
import type { PlannedTarget } from '../plan.ts'
import { misfit, type Facts } from './conditions.ts'
import type { RouteTarget, Strategy } from '../../route-contract.ts'

export interface TargetDeps {
  registry: Registry
  listPrice: ListPrice
}

/** A target of a route, judged for a request. */
export interface JudgedTarget {
  readonly target: RouteTarget
  /** Undefined where no provider has the model any more. */
  readonly planned: PlannedTarget | undefined
  /** Why it is left out; undefined where it fits. */
  readonly reason: string | undefined
  /** Whether the reason is in the request, and not in the route. */
  readonly isMisfit: boolean
}

export function judge(
  { registry, listPrice }: TargetDeps,
  groupId: string,
  target: RouteTarget,
  facts: Facts,
): JudgedTarget {
  const found = registry.resolve(groupId, target.model)
  if (!found) return { target, planned: undefined, reason: 'no provider has the model', isMisfit: false }
  const { route, model } = found
  const planned = {
    ...{ model: target.model, name: model, route },
    providerKeyId: target.provider_key_id ?? null,
    weight: target.weight ?? 1,
    rank: 0,
    passesModels: false,
  }
  if (!route.isActive)
    return { target, planned, reason: `${route.provider.name} is disabled in the group`, isMisfit: false }
  const price = (): string | null => listPrice(groupId, route.provider.id, model)?.inputPrice ?? null
  const reason = target.when && misfit(target.when, facts, price)
  return { target, planned, reason, isMisfit: reason !== undefined }
}

/** The targets as a request tries them. Those of `least_busy` stay as they are: the caller knows what is under way. */
export function inOrder(
  { listPrice }: TargetDeps,
  groupId: string,
  strategy: Strategy,
  targets: readonly PlannedTarget[],
  conversation: () => string,
): readonly PlannedTarget[] {
  if (targets.length < 2) return targets
  if (strategy === 'weighted') return weighted(targets, conversation())
  if (strategy !== 'cheapest') return targets
  const priced = targets.map((target) => ({ target, price: priceOf(listPrice, groupId, target) }))
  return priced.toSorted((a, b) => a.price - b.price).map(({ target }) => target)
}

/** Each target gets its share of the conversations, and a conversation stays with its target, where its prompt is cached. */
function weighted(targets: readonly PlannedTarget[], conversation: string): readonly PlannedTarget[] {
  const placed = targets.map((target) => {
    const { name, route, providerKeyId, weight } = target
    return { target, place: placeOf(conversation, `${route.provider.id} ${name} ${providerKeyId}`, weight) }
  })
  return placed.toSorted((a, b) => a.place - b.place).map(({ target }) => target)
}

/** Most requests read about three times what they write. A model without a price comes last. */
function priceOf(listPrice: ListPrice, groupId: string, { route, name }: PlannedTarget): number {
  const price = listPrice(groupId, route.provider.id, name)
  if (!price || price.inputPrice === null || price.outputPrice === null) return Infinity
  return 3 * Number(price.inputPrice) + Number(price.outputPrice)
}
