import type { DatabaseState, Readiness } from '#kernel/http'
import type { Part } from './part.ts'

/** Ready when all parts are. As long as one of them can serve, the process should get traffic. */
export async function readinessOf(parts: readonly Part[], database: DatabaseState): Promise<Readiness> {
  const states = await Promise.all(parts.map(async (part) => part.health?.(database) ?? withoutOwn(database)))
  if (states.every((state) => state === 'ready')) return 'ready'
  return states.every((state) => state === 'unavailable') ? 'unavailable' : 'degraded'
}

const withoutOwn = (database: DatabaseState): Readiness => (database === 'ok' ? 'ready' : 'unavailable')
