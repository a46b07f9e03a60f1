import type { DatabaseState, Readiness } from '#kernel/http'
import type { Part } from './part.ts'

/**
 * Ready when all parts are. As long as one of them can serve, the process should get traffic: one of those that a role
 * has chosen, where there are any, since the others only help them. A gateway that refuses its requests is different:
 * another replica would serve them, so this one should get none.
 */
export async function readinessOf(parts: readonly Part[], database: DatabaseState): Promise<Readiness> {
  const states = await Promise.all(
    parts.map(async (part) => ({
      isChosen: part.role !== undefined,
      isGateway: part.role === 'gateway',
      state: (await part.health?.(database)) ?? withoutOwn(database),
    })),
  )
  if (states.every(({ state }) => state === 'ready')) return 'ready'
  if (states.some(({ isGateway, state }) => isGateway && state === 'unavailable')) return 'unavailable'
  const chosen = states.filter(({ isChosen }) => isChosen)
  const serving = chosen.length > 0 ? chosen : states
  return serving.every(({ state }) => state === 'unavailable') ? 'unavailable' : 'degraded'
}

const withoutOwn = (database: DatabaseState): Readiness => (database === 'ok' ? 'ready' : 'unavailable')
