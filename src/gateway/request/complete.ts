import { principalOf } from '#kernel/http'
import type { Api } from '../api.ts'
import type { Names } from '../routing/names/index.ts'
import type { PlannedTarget } from '../routing/plan.ts'
import { ClientConnection } from '../transport/receive.ts'
import { isAbsent } from '../wire/json.ts'
import { checkModelsAllowed } from './allowed-models.ts'
import { readBody } from './body.ts'
import type { Answering, Asking } from './client.ts'
import { findTurns, type TurnDeps } from './find-turns.ts'
import { logRequest } from './log-request.ts'
import { firstCall, makeCall, makeCalls, type CallDeps } from './make-calls.ts'
import type { Meter, OpenEntry } from './meter.ts'
import { previousResponse } from './previous-response.ts'
import { deadlineOf, onlyKey, readyCall, type ReadyCall } from './ready-call.ts'
import { nameDropped, nextLoopTurn } from './send.ts'
import type { Story } from './story.ts'

export interface CompleteDeps extends CallDeps, TurnDeps {
  names: Pick<Names, 'plan'>
  meter: Meter
}

/** Serves one request of an API, from the client's bytes to the settled log entry. */
export function createComplete(deps: CompleteDeps) {
  return (api: Api) => (request: Asking, reply: Answering) =>
    logRequest(deps, request, api.path, async (log) => {
      const { entry } = log
      const client = new ClientConnection(reply.raw)
      await nextLoopTurn()

      const given = readBody(request.body)
      entry.model = given.model
      const principal = principalOf(request)
      if (principal.key?.allowedModels) checkModelsAllowed(principal, given.body)
      const planned = deps.names.plan(entry.groupId, given, api, entry.sessionKey)
      const plan = planned instanceof Promise ? await planned : planned
      const [target] = plan.targets as [PlannedTarget]
      entry.route = plan.route
      entry.model = target.name
      entry.provider = target.route.provider.id
      const asked = api.read(given, request.headers)
      entry.isStream = asked.isStream
      entry.userLabel = asked.userLabel
      entry.metadata = asked.metadata

      const deadline = deadlineOf(request, plan)
      const id = api.continuesResponses ? asked.body['previous_response_id'] : undefined
      const previous = isAbsent(id) ? undefined : await previousResponse(deps.stored, entry, plan, id)
      const known = { api, request, principal, reply, client, log, plan, asked, deadline, previous }
      const story: Story = { ...known, calls: 0, trail: [] }
      const key = await onlyKey(deps, story)
      await (key ? callOnce(deps, story, { target, key }) : callInTurn(deps, story))
      return reply
    })
}

/** A plain model with a key of its own: one call. */
async function callOnce(deps: CompleteDeps, story: Story, turn: ReadyCall['turn']): Promise<void> {
  const ready = await readyCall(deps, story, turn, false)
  if (await open(story, ready)) await makeCall(deps, story, ready)
}

/** A route, or keys that take over from each other. */
async function callInTurn(deps: CompleteDeps, story: Story): Promise<void> {
  const turns = await findTurns(deps, story)
  const ready = await firstCall(deps, story, turns)
  if (await open(story, ready)) await makeCalls(deps, story, turns, ready)
}

/** Opens the log entry. False when the response needs no provider and is sent. */
async function open({ log, reply }: Story, { turn, exchange, headers }: ReadyCall): Promise<boolean> {
  describeCall(log.entry, turn)
  await log.open()
  if (!exchange.local) return true
  nameDropped(reply, exchange.dropped)
  if (headers) void reply.headers(headers)
  log.outcome.usage = exchange.local.usage
  void reply.code(200).type('application/json; charset=utf-8').send(exchange.local.body)
  return false
}

function describeCall(entry: OpenEntry, { target, key }: ReadyCall['turn']): void {
  entry.model = target.name
  entry.provider = target.route.provider.id
  entry.providerKeyId = key.id
}
