import type { Kysely } from 'kysely'
import { ReadCache } from '#kernel/cache'
import { isDatabaseDown, type Database } from '#kernel/db'
import { Fault, faults, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Http } from '#kernel/http'
import type { Vault } from '#vault'
import type { Api, ClientBody } from '../../api.ts'
import type { ListedModel } from '../../catalog/models.ts'
import type { GatewayTables } from '../../catalog/provider-store.ts'
import type { Plan } from '../plan.ts'
import { explain } from './explain.ts'
import { toListed } from './listed-route.ts'
import { createRouteManager } from './manage-routes.ts'
import { nameRoutes } from './routes.ts'
import type { TargetDeps } from './fitting-targets.ts'
import { createPlanner, type RoutesOfGroup } from './make-plan.ts'
import { listRoutes } from './route-store.ts'

export { defaultRoute, requestFor } from './make-plan.ts'

export interface NamesDeps extends TargetDeps {
  database: Pick<Database, 'listener' | 'tables'>
  events: Events
  vault: Pick<Vault, 'candidates' | 'providerOfKey'>
  /** When a key may be asked for a model again, by performance.now(); 0 for now. */
  restsUntil(keyId: string, model: string): number
}

export interface Names {
  /**
   * What a request may try. From memory when the group is known; the prompt is read only where a condition asks.
   * Throws a Fault where nobody has the model, or no target of the route fits.
   */
  plan(
    groupId: string,
    request: Pick<ClientBody, 'model' | 'body'>,
    api: Pick<Api, 'promptText'>,
    sessionKey: string | null,
  ): Plan | Promise<Plan>
  /** Throws where no request of the group could be made with the name. */
  check(groupId: string, name: string): Promise<void>
  /** The group's routes and these models; a route takes the place of a model of its name. */
  withRoutes(groupId: string, models: ListedModel[]): Promise<ListedModel[]>
  routes(app: Http): void
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

  /** This process's own changes count for its next request, before the notification arrives. */
  async function refresh(): Promise<void> {
    cache.invalidate()
    await deps.database.listener.othersCaughtUp()
  }

  return {
    plan(groupId, request, api, sessionKey) {
      const routes = cache.get(groupId)
      return routes instanceof Promise
        ? routes.then((loaded) => toPlan(loaded ?? none, groupId, request, api, sessionKey))
        : toPlan(routes ?? none, groupId, request, api, sessionKey)
    },
    async check(groupId, name) {
      const row = (await cache.get(groupId))?.get(name)
      if (!row) deps.registry.requireModel(groupId, name)
    },
    async withRoutes(groupId, models) {
      const own = (await cache.get(groupId)) ?? none
      if (own.size === 0) return models
      const others = models.filter(({ model }) => !own.has(model.id))
      return [...[...own.values()].map((row) => toListed(row, models)), ...others]
    },
    routes(app) {
      nameRoutes(app, {
        routes: createRouteManager({ ...deps, db, refresh }),
        async explain(groupId, name, facts) {
          const row = (await cache.get(groupId))?.get(name)
          if (!row) throw notFound('The route')
          return explain(deps, groupId, row, facts)
        },
      })
    },
    async start() {
      const changed = (): void => cache.invalidate()
      await deps.database.listener.on('gateway_routes_changed', changed, changed)
    },
  }
}
