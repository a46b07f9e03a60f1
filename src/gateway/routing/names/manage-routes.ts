import type { Kysely } from 'kysely'
import type { Membership, Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { GatewayTables } from '../../catalog/provider-store.ts'
import { checkTargets, type CheckDeps } from './check-targets.ts'
import type { NamedRoute, RouteBody, RouteChange } from '../../route-contract.ts'
import { attemptsOf } from './make-plan.ts'
import * as store from './route-store.ts'

export interface ManageDeps extends CheckDeps {
  db: Kysely<GatewayTables>
  events: Events
  /** Makes the change count for the next request, in this process and in the other workers. */
  refresh(): Promise<void>
}

const maxRoutes = 500

/** Routes as people and keys of a group manage them. */
export function createRouteManager(deps: ManageDeps) {
  const { db, events, refresh } = deps

  async function changed(
    principal: Principal,
    group: Membership,
    change: { name: string; change: 'created' | 'changed' | 'deleted' },
  ): Promise<void> {
    const by = { by: principal.user?.id ?? null, apiKeyId: principal.key?.id ?? null }
    await refresh()
    events.emit('route.changed', { groupId: group.id, ...by, ...change })
  }

  return {
    async list(groupId: string): Promise<NamedRoute[]> {
      return (await store.listRoutes(db, groupId)).map(toRoute)
    },

    async find(groupId: string, name: string): Promise<NamedRoute> {
      return toRoute(present(await store.findRoute(db, groupId, name)))
    },

    async add(principal: Principal, group: Membership, body: RouteBody): Promise<NamedRoute> {
      await checkTargets(deps, group.id, body.targets)
      if ((await store.countRoutes(db, group.id)) >= maxRoutes)
        throw invalidField('name', `is one too many: a group has at most ${maxRoutes} routes`)
      const row = await store.insertRoute(db, group.id, {
        name: body.name,
        description: body.description ?? '',
        strategy: body.strategy ?? 'order',
        targets: body.targets,
        attempts: body.attempts ?? null,
        timeout_ms: body.timeout_ms ?? null,
        first_token_timeout_ms: body.first_token_timeout_ms ?? null,
      })
      if (!row) throw taken(body.name)
      await changed(principal, group, { name: row.name, change: 'created' })
      return toRoute(row)
    },

    async change(
      principal: Principal,
      group: Membership,
      name: string,
      change: RouteChange,
    ): Promise<NamedRoute> {
      present(await store.findRoute(db, group.id, name))
      if (change.targets) await checkTargets(deps, group.id, change.targets)
      const given = Object.entries(change).filter(([, value]) => value !== undefined)
      const row = present(await update(group.id, name, Object.fromEntries(given)))
      await changed(principal, group, { name: row.name, change: 'changed' })
      return toRoute(row)
    },

    async remove(principal: Principal, group: Membership, name: string): Promise<void> {
      if (!(await store.deleteRoute(db, group.id, name))) throw notFound('The route')
      await changed(principal, group, { name, change: 'deleted' })
    },
  }

  async function update(groupId: string, name: string, change: Partial<store.NewRoute>) {
    try {
      return await store.updateRoute(db, groupId, name, change)
    } catch (error) {
      throw (error as { code?: string }).code === '23505' ? taken(change.name ?? name) : error
    }
  }
}

export type RouteManager = ReturnType<typeof createRouteManager>

function toRoute(row: store.RouteRow): NamedRoute {
  return {
    ...row,
    attempts: attemptsOf(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const taken = (name: string): Fault =>
  new Fault(faults.conflict, `A route "${name}" already exists.`, { param: 'name' })

function present<T>(row: T | undefined): T {
  if (row === undefined) throw notFound('The route')
  return row
}
