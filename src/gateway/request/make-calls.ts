import { Fault, faults } from '#kernel/errors'
import { maskFor } from '#kernel/log'
import { failureOf, type Failure } from '../routing/failure.ts'
import type { Health } from '../routing/health.ts'
import { boundTo } from '../routing/portability.ts'
import type { RoutingMetrics } from '../routing/routing-metrics.ts'
import type { Turn, Turns } from '../routing/turns.ts'
import { clientDisconnected, withoutKey } from '../transport/faults.ts'
import { keyProblem } from './log-request.ts'
import type { Attempt } from './meter.ts'
import type { Pauses } from './pauses.ts'
import { readyCall, type ReadyCall, type ReadyDeps } from './ready-call.ts'
import { nameDropped, send, type SendDeps } from './send.ts'
import type { Story } from './story.ts'
import { traceCall } from './trace.ts'

export interface CallDeps extends ReadyDeps, SendDeps {
  health: Health
  pauses: Pauses
  routingMetrics: RoutingMetrics
}

/** The one call of a request for a plain model. */
export async function makeCall(deps: SendDeps, story: Story, ready: ReadyCall): Promise<void> {
  const startedAt = performance.now()
  announce(story, ready)
  try {
    await sendCall(deps, story, ready)
  } finally {
    ready.outcome.upstreamMs = Math.round(performance.now() - startedAt)
  }
}

/**
 * Makes calls until one is answered, or nobody is left who could do better. Once the first byte has reached the client
 * there is no other call: `send` does not reject then.
 */
export async function makeCalls(deps: CallDeps, story: Story, turns: Turns, first: ReadyCall): Promise<void> {
  let ready = first
  for (;;) {
    const failure = await tryCall(deps, story, turns, ready)
    if (!failure) return
    const next = await nextCall(deps, story, turns, ready, failure)
    if (!next) throw story.client.isClosed ? clientDisconnected() : failure.fault
    deps.vault.noteOutcome(ready.turn.key.id, keyProblem(failure.fault.status, failure.fault.message))
    story.log.failed(story.trail)
    ready = next
  }
}

/** The first target that can take the request; the fault of the first where none can. */
export async function firstCall(deps: CallDeps, story: Story, turns: Turns): Promise<ReadyCall> {
  let refused: unknown
  for (let turn = turns.next(); turn; turn = turns.next()) {
    try {
      return await readyCall(deps, story, turn, turns.callsLeft > 1)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      refused ??= error
      skip(story, turns, turn, error.code)
    }
  }
  // No call was made.
  delete story.log.outcome.attempts
  throw refused
}

/** Null for a call whose response has reached the client, whole or as a stream that may have broken. */
async function tryCall(
  deps: CallDeps,
  story: Story,
  turns: Turns,
  ready: ReadyCall,
): Promise<Failure | null> {
  const { health, routingMetrics } = deps
  const { target, key } = ready.turn
  // An exception of our own says nothing about the key.
  let failure: Failure | null | undefined
  let isAnswered = false
  const started = { at: new Date(), clock: performance.now() }
  turns.spend()
  resetOutcome(story)
  announce(story, ready)
  // Nothing between this and the `try`: what began must end, or the key looks busy for ever.
  health.began(key.id, target.name)
  try {
    const broken = await sendCall(deps, story, ready)
    isAnswered = true
    failure = broken && failureOf(broken, null)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    failure = failureOf(withoutKey(error, maskFor(key.key)), ready.status)
  } finally {
    health.ended(key.id, target.name, failure)
    const durationMs = Math.round(performance.now() - started.clock)
    const usage = isAnswered ? story.log.outcome.usage : ready.usage
    const statusCode = ready.status
    record(story, ready.turn, {
      statusCode,
      errorCode: codeOf(failure),
      startedAt: started.at,
      durationMs,
      usage,
    })
    routingMetrics.called(
      target.route.isCustom ? 'custom' : target.route.provider.id,
      codeOf(failure) ?? 'answered',
    )
  }
  return isAnswered ? null : failure
}

function sendCall(deps: SendDeps, story: Story, ready: ReadyCall): Promise<Fault | null> {
  const { span, outcome } = story.log
  if (!span) return send(deps, ready, story.reply)
  const { provider } = ready.route
  const made = {
    call: ready.call,
    endpoint: story.api.path,
    provider: provider.id,
    model: ready.turn.target.model,
    isStream: ready.asked.isStream,
    result: () => ({ status: ready.status, usage: ready.usage ?? outcome.usage, ttftMs: outcome.ttftMs }),
  }
  return traceCall(span, made, () => send(deps, ready, story.reply))
}

const codeOf = (failure: Failure | null | undefined): string | null =>
  failure === undefined ? faults.internal.code : (failure?.code ?? null)

/** The next call, after as long a pause as it needs; undefined when there is none. */
async function nextCall(
  deps: CallDeps,
  story: Story,
  turns: Turns,
  { turn, exchange }: ReadyCall,
  failure: Failure,
): Promise<ReadyCall | undefined> {
  if (failure.hope === 'nobody') return undefined
  turns.bind(boundTo(story.asked), turn)
  for (let next = turns.after(turn, failure); next; next = turns.after(turn, failure)) {
    const isOver = performance.now() + next.waitMs >= story.deadline
    if (isOver || !(await deps.pauses.wait(next.waitMs, story.client))) return undefined
    if (next.waitMs > 0) story.log.times.pauses = (story.log.times.pauses ?? 0) + next.waitMs
    try {
      const ready = await readyCall(deps, story, next.turn, turns.callsLeft > 1)
      if (exchange.dropped.length > 0) story.reply.removeHeader('x-signalbox-dropped')
      return ready
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      skip(story, turns, next.turn, error.code)
    }
  }
  if (turns.unreachable) skip(story, turns, turns.unreachable, 'not_portable')
  return undefined
}

/** A target that is not called, and why. */
function skip(story: Story, turns: Turns, turn: Turn, errorCode: string): void {
  turns.close(turn)
  const nothing = { statusCode: null, durationMs: 0, usage: null, isSkipped: true }
  record(story, turn, { ...nothing, errorCode, startedAt: new Date() })
}

function record(
  { log, plan, trail }: Story,
  { target, key }: Turn,
  result: Omit<Attempt, 'provider' | 'providerKeyId' | 'model'>,
): void {
  trail.push({ provider: target.route.provider.id, providerKeyId: key.id, model: target.name, ...result })
  log.outcome.upstreamMs = (log.outcome.upstreamMs ?? 0) + result.durationMs
  if (plan.route !== null || trail.length > 1) log.outcome.attempts = trail
}

/** Says in the response, and in the log, what answers. */
function announce(story: Story, { turn: { target, key }, exchange }: ReadyCall): void {
  const { reply, log } = story
  story.calls++
  void reply.header('x-signalbox-provider', target.route.provider.id)
  void reply.header('x-signalbox-model', headerText(target.model))
  void reply.header('x-signalbox-attempts', String(story.calls))
  nameDropped(reply, exchange.dropped)
  if (story.calls === 1) return
  const { entry, outcome } = log
  const provider = target.route.provider.id
  const isOther = entry.provider !== provider || entry.providerKeyId !== key.id || entry.model !== target.name
  if (isOther) outcome.answeredBy = { provider, providerKeyId: key.id, model: target.name }
  else delete outcome.answeredBy
}

/** Clients choose the names of models, and a header cannot hold every character. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURI(text)
}

/** What an earlier call left behind. */
function resetOutcome({ log: { outcome } }: Story): void {
  outcome.usage = null
  outcome.estimateFrom = null
  outcome.upstreamRequestId = null
  outcome.isUnread = false
}
