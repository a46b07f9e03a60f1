import { Fault, faults, invalidField } from '#kernel/errors'
import type { Api, ClientBody, ClientRequest } from '../../api.ts'
import { edit } from '../../passthrough/edit.ts'
import { isAbsent } from '../../wire/json.ts'
import { isModelName } from '../../catalog/registry.ts'
import { conversationOf } from '../conversation.ts'
import type { Plan, PlannedTarget } from '../plan.ts'
import { factsOf, type Reading } from './conditions.ts'
import { maxAttempts } from '../../route-contract.ts'
import { inOrder, judge, type JudgedTarget, type TargetDeps } from './fitting-targets.ts'
import type { RouteRow } from './route-store.ts'

/** The routes of a group, by name. */
export type RoutesOfGroup = ReadonlyMap<string, RouteRow>
type Asked = Pick<ClientBody, 'model' | 'body'>

/** The route of a group for requests without a model, where it has one. */
export const defaultRoute = 'default'

/** From the name in a request to what it may try. A route wins over a model of the same name. */
export function createPlanner(deps: TargetDeps) {
  const { registry } = deps

  function model(groupId: string, name: string, param?: string): PlannedTarget {
    if (name === '') throw invalidField('model', 'is required and must be a string')
    const { route, model: own } = registry.requireModel(groupId, name, param)
    return { model: name, name: own, route, providerKeyId: null, weight: 1, rank: 0, passesModels: false }
  }

  function ofRoute(groupId: string, row: RouteRow, { facts, conversation }: Reading): Plan {
    const judged = row.targets.map((target) => judge(deps, groupId, target, facts))
    const fitting = judged.flatMap(({ planned, reason }) =>
      planned && reason === undefined ? [planned] : [],
    )
    if (fitting.length === 0) throw noneFits(row.name, judged)
    return {
      route: row.name,
      strategy: row.strategy,
      targets: inOrder(deps, groupId, row.strategy, fitting, conversation),
      attempts: attemptsOf(row),
      timeoutMs: row.timeout_ms,
      firstTokenTimeoutMs: row.first_token_timeout_ms,
    }
  }

  function ofName(
    routes: RoutesOfGroup,
    groupId: string,
    name: string,
    reading: Reading,
    param?: string,
  ): Plan {
    const row = routes.get(name || defaultRoute)
    return row ? ofRoute(groupId, row, reading) : plain([model(groupId, name, param)])
  }

  /** The model first, then the names of the lists, each once. */
  function ofNames(
    routes: RoutesOfGroup,
    groupId: string,
    { model: name, body }: Asked,
    reading: Reading,
  ): Plan {
    const first = ofName(routes, groupId, name, reading)
    const [target] = first.targets
    const passesModels =
      first.route === null && !!target?.route.provider.takesModels && body['model'] === name
    const more = [
      ...(passesModels ? [] : namesIn(body, 'models').map((each) => ['models', each] as const)),
      ...namesIn(body, 'fallbacks').map((each) => ['fallbacks', each] as const),
    ].filter(([, each]) => each !== name)
    const others = [...new Map(more.map(([field, each]) => [each, field]))].map(([each, field]) =>
      ofName(routes, groupId, each, reading, field),
    )
    const targets = passesModels && target ? [{ ...target, passesModels }] : first.targets
    if (others.length === 0) return { ...first, targets }
    return {
      ...first,
      targets: distinct([...targets, ...others.flatMap((plan, index) => ranked(plan, index + 1))]),
      attempts: Math.min(maxAttempts, first.attempts + others.reduce((sum, plan) => sum + plan.attempts, 0)),
    }
  }

  return (
    routes: RoutesOfGroup,
    groupId: string,
    asked: Asked,
    api: Pick<Api, 'promptText'>,
    sessionKey: string | null,
  ): Plan => {
    const { model: name, body } = asked
    const hasMore = namesMore(body)
    // Most requests: of such a one nothing else is read.
    if (!hasMore && !routes.has(name || defaultRoute)) return plain([model(groupId, name)])
    const reading = { facts: factsOf(api, asked), conversation: () => conversationOf(body, sessionKey) }
    return hasMore ? ofNames(routes, groupId, asked, reading) : ofName(routes, groupId, name, reading)
  }
}

/** A model that comes again, by a route or with the provider's word, is not asked again before the others. */
function distinct(targets: readonly PlannedTarget[]): PlannedTarget[] {
  const byCall = new Map<string, PlannedTarget>()
  for (const target of targets) {
    const call = [target.route.provider.id, target.name, target.providerKeyId].join(' ')
    if (!byCall.has(call)) byCall.set(call, target)
  }
  return [...byCall.values()]
}

const ranked = ({ targets }: Plan, rank: number): PlannedTarget[] =>
  targets.map((target) => ({ ...target, rank }))

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

/** Fields with names to try when the model fails: OpenRouter's and LiteLLM's. */
const listFields = ['models', 'fallbacks'] as const
const maxNames = 10

type Body = Readonly<Record<string, unknown>>

/** Whether a request names more than its model. */
const namesMore = ({ models, fallbacks }: Body): boolean => !isAbsent(models) || !isAbsent(fallbacks)

/** The names in one of the fields; none where it is absent. */
function namesIn(body: Body, field: (typeof listFields)[number]): string[] {
  const value = body[field]
  if (isAbsent(value)) return []
  if (!Array.isArray(value) || !value.every(isName))
    throw invalidField(field, 'must be an array of model names')
  if (value.length > maxNames) throw invalidField(field, `may hold at most ${maxNames} names`)
  return value
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isModelName(value)
}

/** The request as a target gets it: with the model's own name, and without the names of other targets. */
export function requestFor(asked: ClientRequest, target: PlannedTarget): ClientRequest {
  const { raw, body } = asked
  const isNamed = body['model'] === target.name
  if (isNamed && !Object.hasOwn(body, 'models') && !Object.hasOwn(body, 'fallbacks')) return asked
  const remove = listFields.filter(
    (field) => Object.hasOwn(body, field) && !(field === 'models' && target.passesModels),
  )
  if (isNamed && remove.length === 0) return asked
  const edits = { ...(isNamed ? {} : { set: { model: target.name } }), remove }
  const kept = Object.entries(body).filter(([field]) => !(remove as string[]).includes(field))
  return {
    ...asked,
    raw: edit(raw, body, edits),
    body: { ...Object.fromEntries(kept), model: target.name },
    model: target.name,
    shownModel: target.model,
  }
}
