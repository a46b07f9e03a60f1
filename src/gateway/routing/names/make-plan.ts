import { Fault, faults } from '#kernel/errors'
import type { ClientBody } from '../../api.ts'
import type { Plan, PlannedTarget } from '../plan.ts'
import type { Facts } from './conditions.ts'
import { maxAttempts } from '../../route-contract.ts'
import { inOrder, judge, type JudgedTarget, type TargetDeps } from './fitting-targets.ts'
import { namesIn, namesMore } from './requested-names.ts'
import type { RouteRow } from './route-store.ts'

/** The routes of a group, by name. */
export type RoutesOfGroup = ReadonlyMap<string, RouteRow>
type Asked = Pick<ClientBody, 'model' | 'body'>

/** From the name in a request to what it may try. A route wins over a model of the same name. */
export function createPlanner(deps: TargetDeps) {
  const { registry } = deps

  function model(groupId: string, name: string, param?: string): PlannedTarget {
    const { route, model: own } = registry.requireModel(groupId, name, param)
    return { model: name, name: own, route, providerKeyId: null, weight: 1, passesModels: false }
  }

  function ofRoute(groupId: string, row: RouteRow, facts: Facts): Plan {
    const judged = row.targets.map((target) => judge(deps, groupId, target, facts))
    const fitting = judged.flatMap(({ planned, reason }) =>
      planned && reason === undefined ? [planned] : [],
    )
    if (fitting.length === 0) throw noneFits(row.name, judged)
    return {
      route: row.name,
      strategy: row.strategy,
      targets: inOrder(deps, groupId, row.strategy, fitting),
      attempts: attemptsOf(row),
      timeoutMs: row.timeout_ms,
      firstTokenTimeoutMs: row.first_token_timeout_ms,
    }
  }

  function ofName(routes: RoutesOfGroup, groupId: string, name: string, facts: Facts, param?: string): Plan {
    const row = routes.get(name)
    return row ? ofRoute(groupId, row, facts) : plain([model(groupId, name, param)])
  }

  /** The model first, then the names of the lists, each once. */
  function ofNames(routes: RoutesOfGroup, groupId: string, { model: name, body }: Asked, facts: Facts): Plan {
    const first = ofName(routes, groupId, name, facts)
    const [target] = first.targets
    const passesModels =
      first.route === null && !!target?.route.provider.takesModels && body['model'] === name
    const more = [
      ...(passesModels ? [] : namesIn(body, 'models').map((each) => ['models', each] as const)),
      ...namesIn(body, 'fallbacks').map((each) => ['fallbacks', each] as const),
    ].filter(([, each]) => each !== name)
    const others = [...new Map(more.map(([field, each]) => [each, field]))].map(([each, field]) =>
      ofName(routes, groupId, each, facts, field),
    )
    const targets = passesModels && target ? [{ ...target, passesModels }] : first.targets
    if (others.length === 0) return { ...first, targets }
    return {
      ...first,
      targets: [...targets, ...others.flatMap((plan) => plan.targets)],
      attempts: Math.min(maxAttempts, first.attempts + others.reduce((sum, plan) => sum + plan.attempts, 0)),
    }
  }

  return (routes: RoutesOfGroup, groupId: string, asked: Asked, facts: Facts): Plan =>
    namesMore(asked.body)
      ? ofNames(routes, groupId, asked, facts)
      : ofName(routes, groupId, asked.model, facts)
}

/** By default every target once, and one of them again. */
export function attemptsOf({ attempts, targets }: Pick<RouteRow, 'attempts' | 'targets'>): number {
  return attempts ?? Math.min(maxAttempts, targets.length + 1)
}

function plain(targets: readonly PlannedTarget[]): Plan {
  return { route: null, strategy: 'order', targets, attempts: 1, timeoutMs: null, firstTokenTimeoutMs: null }
}

function noneFits(name: string, judged: readonly JudgedTarget[]): Fault {
  const reasons = judged.map(({ target, reason }) => `${target.model}: ${reason}`).join('; ')
  const message = `No target of the route "${name}" fits this request. ${reasons}.`
  return judged.some(({ isMisfit }) => isMisfit)
    ? new Fault(faults.invalidRequest, message, { param: 'model' })
    : new Fault(faults.modelNotFound, message, { param: 'model' })
}
