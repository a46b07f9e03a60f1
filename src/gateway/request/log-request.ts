import type { FastifyRequest, onErrorAsyncHookHandler } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import { faultOf, groupOf, principalOf, timesOf, type RequestTimes } from '#kernel/http'
import { maskFor, type Secret } from '#kernel/log'
import type { RequestSpan } from '#kernel/tracing'
import { requestTime } from '#kernel/uuid'
import type { Vault } from '#vault'
import { stoppingMessage, withoutKey } from '../transport/faults.ts'
import { isObject } from '../wire/json.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Asking } from './client.ts'
import type { Reservation } from './limits.ts'
import type { Attempt, Meter, MeteredRequest, OpenEntry, Outcome, SessionKeys } from './meter.ts'
import { describeRequest } from './trace.ts'

/** What the usage log gets to know about a request while it is served. */
export interface RequestLog {
  entry: OpenEntry
  outcome: Outcome
  /** The provider key in use, which no error may quote. */
  key: Secret | undefined
  /** What the request has reserved of the group's limits. */
  reservation: Reservation | undefined
  /** Where the time of the request goes. */
  times: RequestTimes
  /** Where requests are traced. */
  span: RequestSpan | undefined
  /** Opens the log entry; to be awaited right before the request goes upstream. */
  open(): Promise<void>
  /** Keeps the calls that failed so far, before the next one: this process may be killed in it. */
  failed(attempts: readonly Attempt[]): void
}

/** Faults that a log entry has; all others came before the route had its turn. */
const logged = new WeakSet<Error>()

/**
 * Logs requests that end before the route has its turn, such as a body over the limit or of another type. Requests
 * without a valid key, or with one that may not call the route, belong to no log.
 */
export function createRefusalLog(meter: Meter): (endpoint: string) => onErrorAsyncHookHandler {
  return (endpoint) => async (request, _reply, error) => {
    const { status, message } = faultOf(error, request)
    if (logged.has(error) || !request.principal || status === 401 || status === 403) return
    try {
      const metered = await meter.open({ ...newEntry(request, endpoint), model: modelIn(request.body) })
      metered.settle({ ...newOutcome(), statusCode: status, errorMessage: message })
    } catch {
      // The client gets the refusal itself, whatever keeps it out of the log.
    }
  }
}

/** Logs what came over an open connection and was refused before it became a request. */
export async function logRefusal(
  meter: Meter,
  request: FastifyRequest,
  endpoint: string,
  { requestId, model, fault }: { requestId: string; model: string; fault: Fault },
): Promise<void> {
  const entry = { ...newEntry(request, endpoint), requestId, startedAt: requestTime(requestId) }
  const metered = await meter.open({ ...entry, model, isStream: true })
  metered.settle({ ...newOutcome(), statusCode: fault.status, errorMessage: fault.message })
}

function modelIn(body: unknown): string {
  return isObject(body) && typeof body['model'] === 'string' ? body['model'] : ''
}

/** Opens and settles the log entry of a request exactly once, however it ends, and reports on the key it used. */
export async function logRequest<T>(
  { meter, vault }: { meter: Meter; vault: Vault },
  request: Asking,
  endpoint: string,
  serve: (log: RequestLog) => Promise<T>,
): Promise<T> {
  const entry = newEntry(request, endpoint)
  const outcome = newOutcome()
  const times = timesOf(request)
  const { span } = request
  request.isTimedApart = true
  // The response may be closed before its log entry is.
  span?.hold()
  outcome.times = times
  let metered: MeteredRequest | undefined
  let wasOpened = false
  const open = async (): Promise<void> => {
    wasOpened = true
    const startedAt = performance.now()
    metered = await meter.open(entry)
    times.journal = performance.now() - startedAt
  }
  const failed: RequestLog['failed'] = (attempts) => metered?.failed?.(attempts)
  const log: RequestLog = {
    entry,
    outcome,
    times,
    span,
    key: undefined,
    reservation: undefined,
    open,
    failed,
  }
  try {
    return await serve(log)
  } catch (error) {
    const thrown = error instanceof Fault ? error : internalFault(request.id, error)
    const fault = log.key ? withoutKey(thrown, maskFor(log.key)) : thrown
    outcome.statusCode = fault.status
    outcome.errorMessage = fault.message
    logged.add(fault)
    // It was never sent: the log shows no key, and the key is not to blame.
    if (fault.limit) entry.providerKeyId = null
    throw fault
  } finally {
    log.reservation?.end()
    outcome.endedAt = new Date()
    if (span) describeRequest(span, entry, outcome)
    span?.end()
    const keyId = outcome.answeredBy?.providerKeyId ?? entry.providerKeyId
    if (metered && keyId) vault.noteOutcome(keyId, keyProblem(outcome.statusCode, outcome.errorMessage))
    if (!wasOpened) await open()
    metered?.settle(outcome)
  }
}

function newEntry(request: Asking, endpoint: string): OpenEntry {
  const { key, user } = principalOf(request)
  return {
    requestId: request.id,
    startedAt: requestTime(request.id),
    groupId: groupOf(request).id,
    apiKeyId: key?.id ?? null,
    userId: user?.id ?? null,
    provider: null,
    providerKeyId: null,
    model: '',
    endpoint,
    isStream: false,
    userLabel: null,
    metadata: null,
    // What a run spends is limited: it must not look like somebody else's.
    ...(key?.run ? { sessionKey: key.run.id, subagentKey: null } : sessionKeysOf(request.headers)),
  }
}

function newOutcome(): Outcome {
  return {
    endedAt: new Date(),
    statusCode: 200,
    errorMessage: null,
    ttftMs: null,
    usage: null,
    upstreamRequestId: null,
    estimateFrom: null,
  }
}

/** What the client did wrong, or did not wait for, says nothing against the key, nor does a stop of the server. */
export function keyProblem(status: number, message: string | null): string | null {
  if (message === stoppingMessage) return null
  return status >= 500 || status === 429 ? message : null
}

function internalFault(requestId: string, cause: unknown): Fault {
  return new Fault(
    faults.internal,
    `Internal server error. Include the request ID ${requestId} when you report it.`,
    { cause },
  )
}

/** Pairs of headers, the first that names a session counts. The second names the one that speaks, which may be a subagent. */
const pairs = [
  // For anybody.
  ['x-signalbox-session', 'x-signalbox-subagent'],
  // Claude Code
  ['x-claude-code-session-id', 'x-claude-code-agent-id'],
  // Codex: the root of the session, and the thread.
  ['session-id', 'thread-id'],
  // opencode: a subagent also names the session that started it.
  ['x-parent-session-id', 'x-session-id'],
  ['x-session-id', 'x-session-id'],
] as const

/** Codex repeats its ids here, and nowhere else where a proxy drops headers without a prefix. */
const metadataHeader = 'x-codex-turn-metadata'
const maxMetadataLength = 8 * 1024

const none: SessionKeys = { sessionKey: null, subagentKey: null }

/** A value that no assistant would send is dropped: a shortened key would be the key of another session. */
const validKey = /^[\w.:@~/-]{1,200}$/

function sessionKeysOf(headers: IncomingHttpHeaders): SessionKeys {
  for (const [session, speaker] of pairs) {
    const key = headers[session]
    if (key !== undefined && isKey(key)) return keys(key, headers[speaker])
  }
  const metadata = headers[metadataHeader]
  return typeof metadata === 'string' ? keysInMetadata(metadata) : none
}

function keysInMetadata(text: string): SessionKeys {
  if (text.length > maxMetadataLength) return none
  try {
    const { session_id: session, thread_id: thread } = JSON.parse(text) as Record<string, unknown>
    return isKey(session) ? keys(session, thread) : none
  } catch {
    return none
  }
}

function keys(sessionKey: string, speaker: unknown): SessionKeys {
  return { sessionKey, subagentKey: isKey(speaker) && speaker !== sessionKey ? speaker : null }
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && validKey.test(value)
}
