import { invalidField } from '#kernel/errors'
import type { ChosenKey, Vault } from '#vault'
import type { StoredResponses } from '../catalog/stored-responses.ts'
import { requestFor } from '../routing/names/index.ts'
import type { Plan, PlannedTarget } from '../routing/plan.ts'
import type { Turn } from '../routing/turns.ts'
import { firstByteLate, requestLate } from '../transport/faults.ts'
import type { TimeLimit } from '../transport/receive.ts'
import type { Asking } from './client.ts'
import { limitedCall } from './limited-call.ts'
import type { Limits } from './limits.ts'
import { toCall, type PreparedCall } from './send.ts'
import type { Story } from './story.ts'

export interface ReadyDeps {
  vault: Vault
  stored: StoredResponses
  /** Without it nothing is limited. */
  limits?: Limits | undefined
  /** Settings that a model cannot take are refused instead of left out. */
  refusesUnsupported: boolean
}

/** A call with its target and key. */
export interface ReadyCall extends PreparedCall {
  readonly turn: Turn
}

/** The key of a plain model, where no other could take over: such a request makes one call and no more. */
export async function onlyKey(deps: Pick<ReadyDeps, 'vault'>, story: Story): Promise<ChosenKey | undefined> {
  const [target, another] = story.plan.targets
  if (!target || another || story.plan.attempts > 1) return undefined
  const found = keysFor(deps, story, target)
  const keys = found instanceof Promise ? await found : found
  return keys.length === 1 ? keys[0] : undefined
}

/** The keys for a target: its own, or the API key's choice, or the group's; with their pool where they have one. */
export function keysFor(
  { vault }: Pick<ReadyDeps, 'vault'>,
  { log, principal }: Pick<Story, 'log' | 'principal'>,
  { route: { provider }, providerKeyId }: PlannedTarget,
): readonly ChosenKey[] | Promise<readonly ChosenKey[]> {
  const override = providerKeyId ?? principal.key?.providerKeyOverrides[provider.id]
  return vault.candidates(log.entry.groupId, provider, override)
}

/**
 * Translates the request for a target and reserves what the call may use. Throws a Fault when the target cannot take
 * the request, or when a limit is spent.
 */
export async function readyCall(
  deps: ReadyDeps,
  story: Story,
  turn: Turn,
  isReplaceable: boolean,
): Promise<ReadyCall> {
  const { api, client, log } = story
  const { route } = turn.target
  const asked = requestFor(story.asked, turn.target)
  const exchange = api.exchange(route.provider, asked)
  const [unsupported] = exchange.adapted ?? []
  if (unsupported && deps.refusesUnsupported) throw unsupported
  const body = exchange.largeBody ? await exchange.largeBody.write() : exchange.body
  log.key = turn.key.key
  if (deps.limits?.concerns(log.entry.groupId)) {
    const target = { provider: route.provider.id, model: turn.target.name }
    const startedAt = performance.now()
    const held = deps.limits.reserve(limitedCall(story.request, log.entry, target, api, asked))
    log.reservation = held instanceof Promise ? await held : held
    log.times.limits = (log.times.limits ?? 0) + performance.now() - startedAt
  }
  return {
    ...{ turn, api, asked, route, exchange, client, isReplaceable },
    call: toCall(route, exchange, body, turn.key.key),
    outcome: log.outcome,
    requestId: story.request.id,
    ...timeLimits(story, isReplaceable),
    headers: log.reservation?.headers,
    status: null,
    usage: null,
    noteStored: (id) => noteStored(deps, story, turn, id),
  }
}

const timeoutHeader = 'x-signalbox-timeout-ms'
const longestTimeoutMs = 86_400_000

/** The client's own limit or that of the route, whichever ends sooner. */
export function deadlineOf({ headers }: Asking, { timeoutMs }: Plan): number {
  const asked = headers[timeoutHeader]
  if (asked === undefined && timeoutMs === null) return Infinity
  const own = asked === undefined ? Infinity : Number(asked)
  if (asked !== undefined && !(Number.isInteger(own) && own >= 1 && own <= longestTimeoutMs))
    throw invalidField(timeoutHeader, 'must be a whole number of milliseconds, at least 1')
  return performance.now() + Math.min(own, timeoutMs ?? Infinity)
}

/**
 * What is left of the request's time. A call that another may follow has to begin within half of it, so that a provider
 * that hangs does not take all.
 */
function timeLimits({ deadline, plan, asked }: Story, isReplaceable: boolean): Partial<PreparedCall> {
  const first = plan.firstTokenTimeoutMs
  if (deadline === Infinity && first === null) return noLimits
  const restMs = Math.max(0, deadline - performance.now())
  const shareMs = isReplaceable ? restMs / 2 : restMs
  const whole = within(asked.isStream ? restMs : shareMs, requestLate)
  if (!asked.isStream) return { time: whole }
  return { time: whole, firstByte: within(Math.min(first ?? Infinity, shareMs), firstByteLate) }
}

const noLimits: Partial<PreparedCall> = {}

const within = (ms: number, fault: TimeLimit['fault']): TimeLimit | undefined =>
  ms === Infinity ? undefined : { ms, fault }

function noteStored({ stored }: ReadyDeps, { log, asked }: Story, turn: Turn, id: string | undefined): void {
  const { groupId, apiKeyId } = log.entry
  if (id === undefined || apiKeyId === null || asked.body['store'] === false) return
  const owner = { group_id: groupId, api_key_id: apiKeyId, provider_key_id: turn.key.id }
  stored.note({ id, ...owner, model: turn.target.model })
}
