import type { Kysely } from 'kysely'
import { ReadCache } from '#kernel/cache'
import { isDatabaseDown, type Database } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { ClientBody } from '../../api.ts'
import type { GatewayTables } from '../../catalog/provider-store.ts'
import type { Plan } from '../plan.ts'
import type { Facts } from './conditions.ts'
import type { TargetDeps } from './fitting-targets.ts'
import { createPlanner, type RoutesOfGroup } from './make-plan.ts'
import { listRoutes } from './route-store.ts'

export { factsOf } from './facts.ts'
export { requestFor } from './request-for.ts'

export interface NamesDeps extends TargetDeps {
  database: Pick<Database, 'listener' | 'tables'>
}

export interface Names {
  /**
   * What a request may try. From memory when the group is known; `facts` is called only where a condition asks.
   * Throws a Fault where nobody has the model, or no target of the route fits.
   */
  plan(groupId: string, request: Pick<ClientBody, 'model' | 'body'>, facts: Facts): Plan | Promise<Plan>
  /** Throws where no request of the group could be made with the name. */
  check(groupId: string, name: string): Promise<void>
  start(): Promise<void>
}

const maxGroups = 10_000
const none: RoutesOfGroup = new Map()

/** The names of models: routes of a group, and what the providers call them. */
export function createNames(deps: NamesDeps): Names {
  const db: Kysely<GatewayTables> = deps.database.tables()
  const toPlan = createPlanner(deps)
  const cache = new ReadCache<RoutesOfGroup>({
    name: 'routes',
    max: maxGroups,
    async read(groupId) {
      const rows = await listRoutes(db, groupId)
      return rows.length === 0 ? none : new Map(rows.map((row) => [row.name, row]))
    },
    isOutage: isDatabaseDown,
    unavailable: (cause) =>
      new Fault(faults.unavailable, 'The routes cannot be read: the database is unavailable. Try again.', {
        cause,
      }),
  })

  return {
    plan(groupId, request, facts) {
      const routes = cache.get(groupId)
      return routes instanceof Promise
        ? routes.then((loaded) => toPlan(loaded ?? none, groupId, request, facts))
        : toPlan(routes ?? none, groupId, request, facts)
    },
    async check(groupId, name) {
      const row = (await cache.get(groupId))?.get(name)
      if (!row) deps.registry.requireModel(groupId, name)
    },
    async start() {
      const changed = (): void => cache.invalidate()
      await deps.database.listener.on('gateway_routes_changed', changed, changed)
    },
  }
}
