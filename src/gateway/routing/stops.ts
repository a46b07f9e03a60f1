import type { ChosenKey } from '#vault'
import type { Health } from './health.ts'
import { conversationOf, placeOf } from './conversation.ts'
import type { Plan, PlannedTarget } from './plan.ts'
import type { Stop } from './turns.ts'
import type { JsonObject } from '../wire/json.ts'

/** A target with the keys that may be used for it, the group's choice first. */
export interface KeyedTarget {
  readonly target: PlannedTarget
  readonly keys: readonly ChosenKey[]
  /** The first key is somebody's choice for this very request, and not only the group's. */
  readonly isPinned: boolean
}

export interface Ordering {
  health: Health
  strategy: Plan['strategy']
  body: JsonObject
  sessionKey: string | null
}

/**
 * The targets and keys in the order of their turns. What rests comes last, the soonest first: when everything rests,
 * trying is still better than refusing.
 */
export function orderStops(targets: readonly KeyedTarget[], ordering: Ordering): Stop[] {
  const now = performance.now()
  const stops = targets.map((each) => ({ target: each.target, keys: orderKeys(each, ordering, now) }))
  const rest = ({ target, keys: [first] }: Stop): number =>
    first ? restOf(ordering.health, first, target, now) : Infinity
  const busy = ({ keys }: Stop): number =>
    ordering.strategy === 'least_busy'
      ? keys.reduce((sum, { id }) => sum + ordering.health.running(id), 0) / keys.length
      : 0
  return stops.toSorted(
    (one, other) => rest(one) - rest(other) || one.target.rank - other.target.rank || busy(one) - busy(other),
  )
}

function orderKeys(
  { target, keys, isPinned }: KeyedTarget,
  { health, strategy, body, sessionKey }: Ordering,
  now: number,
): readonly ChosenKey[] {
  if (keys.length === 1) return keys
  const conversation = conversationOf(body, sessionKey)
  const ranked = keys.map((key, index) => ({
    key,
    rest: restOf(health, key, target, now),
    pin: isPinned && index === 0 ? 0 : 1,
    busy: strategy === 'least_busy' ? health.running(key.id) / (key.weight || 1) : 0,
    place: placeOf(conversation, key.id, key.weight),
  }))
  ranked.sort((a, b) => a.rest - b.rest || a.pin - b.pin || a.busy - b.busy || a.place - b.place)
  return ranked.map(({ key }) => key)
}

/** Milliseconds, 0 where it does not rest. */
function restOf(health: Health, key: ChosenKey, target: PlannedTarget, now: number): number {
  return Math.max(0, health.restsUntil(key.id, target.name) - now)
}
