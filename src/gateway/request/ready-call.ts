import type { Vault } from '#vault'
import type { StoredResponses } from '../catalog/stored-responses.ts'
import { requestFor } from '../routing/names/index.ts'
import type { Turn } from '../routing/turns.ts'
import { firstTokenLate, requestLate } from '../transport/faults.ts'
import type { TimeLimit } from '../transport/receive.ts'
import { limitedCall } from './limited-call.ts'
import type { Limits } from './limits.ts'
import type { PreparedCall } from './send.ts'
import type { Story } from './story.ts'
import { toCall } from './upstream-call.ts'

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
  const { api, client, log, plan } = story
  const { route } = turn.target
  const asked = requestFor(story.asked, turn.target)
  const exchange = api.exchange(route.provider, asked)
  const [unsupported] = exchange.adapted ?? []
  if (unsupported && deps.refusesUnsupported) throw unsupported
  const body = exchange.largeBody ? await exchange.largeBody.write() : exchange.body
  log.key = turn.key.key
  if (deps.limits && !exchange.local) {
    const target = { provider: route.provider.id, model: turn.target.name }
    const held = deps.limits.reserve(limitedCall(story.request, log.entry, target, asked))
    log.reservation = held instanceof Promise ? await held : held
  }
  return {
    ...{ turn, api, asked, route, exchange, client, isReplaceable },
    call: toCall(route, exchange, body, turn.key.key),
    outcome: log.outcome,
    requestId: story.request.id,
    time: story.deadline === Infinity ? undefined : restOfTime(story.deadline),
    firstByte: plan.firstTokenTimeoutMs === null ? undefined : firstByteWithin(plan.firstTokenTimeoutMs),
    headers: log.reservation?.headers,
    status: null,
    usage: null,
    noteStored: (id) => noteStored(deps, story, turn, id),
  }
}

const restOfTime = (deadline: number): TimeLimit => ({
  ms: Math.max(0, deadline - performance.now()),
  fault: requestLate,
})

const firstByteWithin = (ms: number): TimeLimit => ({ ms, fault: () => firstTokenLate(ms) })

function noteStored({ stored }: ReadyDeps, { log, asked }: Story, turn: Turn, id: string | undefined): void {
  const { groupId, apiKeyId } = log.entry
  if (id === undefined || apiKeyId === null || asked.body['store'] === false) return
  const owner = { group_id: groupId, api_key_id: apiKeyId, provider_key_id: turn.key.id }
  stored.note({ id, ...owner, model: turn.target.model })
}
