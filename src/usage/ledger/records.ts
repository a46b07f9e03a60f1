import type { Attempt, OpenEntry, Outcome, SessionKeys } from '#gateway'
import { requestTime } from '#kernel/uuid'
import { storableText } from '../cost/storable.ts'
import type { LedgerRow } from '../row.ts'

/** Tokens that we counted because the provider did not report them. */
export interface Counted {
  prompt: number
  completion: number
}

/** The facts of a request that has ended, from which its cost is calculated. */
export interface Settled {
  entry: OpenEntry
  outcome: Omit<Outcome, 'estimateFrom'>
  counted?: Counted | undefined
  /** Its process ended before the request did. */
  isInterrupted?: boolean
  /** Set when it is priced for the first time, so that it is priced only once. */
  priced?: LedgerRow
}

/** The journal record of a request that has begun. The frame has its id, which contains the time. */
export function openRecord(entry: OpenEntry): string {
  const { groupId, apiKeyId, provider, providerKeyId, model, endpoint, isStream, userLabel, metadata } = entry
  const { sessionKey, subagentKey, route } = entry
  return JSON.stringify({
    groupId,
    apiKeyId,
    provider,
    providerKeyId,
    model,
    endpoint,
    isStream,
    userLabel,
    metadata,
    // Most requests belong to no session, and say so by their absence.
    sessionKey: sessionKey ?? undefined,
    subagentKey: subagentKey ?? undefined,
    route: route ?? undefined,
  })
}

/**
 * The journal record of a request that has ended: the open record again, so that no record depends on another, and how
 * it ended. Its cost is calculated from that on the way to the database, for many requests at once.
 */
export function settleRecord(
  opened: string,
  {
    endedAt,
    statusCode,
    errorMessage,
    ttftMs,
    usage,
    isUnread,
    upstreamRequestId,
    attempts,
    answeredBy,
    upstreamMs,
  }: Omit<Outcome, 'estimateFrom'>,
  counted?: Counted,
): string {
  const end = JSON.stringify({
    endedAt: endedAt.getTime(),
    statusCode,
    errorMessage,
    ttftMs,
    usage,
    counted,
    // Nearly every response can be read, and says so by its absence.
    isUnread: isUnread === true ? true : undefined,
    upstreamRequestId: upstreamRequestId ?? undefined,
    attempts: attempts && writeAttempts(attempts),
    upstreamMs,
    // In place of what was asked first: the last of two members with one name counts, in earlier releases too.
    ...answeredBy,
  })
  return mergeJson(opened, end)
}

/** The open record again, with the calls that failed so far: a process that is killed in the next one leaves them. */
export function failedRecord(opened: string, attempts: readonly Attempt[]): string {
  return mergeJson(opened, JSON.stringify({ attempts: writeAttempts(attempts) }))
}

/**
 * The record of a request whose process ended before it did. What the provider delivered or charged is unknown, so it
 * has neither tokens nor a cost.
 */
export function interruptedRecord(opened: string, processEndedAt: Date): string {
  return mergeJson(
    opened,
    JSON.stringify({
      endedAt: processEndedAt.getTime(),
      statusCode: 500,
      errorMessage: 'interrupted',
      ttftMs: null,
      usage: null,
      isInterrupted: true,
    }),
  )
}

type WrittenAttempt = Omit<Attempt, 'startedAt'> & { startedAt: number }

/** Clients choose the names of models, as the entry's own. */
const writeAttempts = (attempts: readonly Attempt[]): WrittenAttempt[] =>
  attempts.map((each) => ({
    ...each,
    model: storableText(each.model, 300),
    startedAt: each.startedAt.getTime(),
  }))

const readAttempts = (attempts: readonly WrittenAttempt[]): Attempt[] =>
  attempts.map((each) => ({ ...each, startedAt: new Date(each.startedAt) }))

/** Merges two JSON objects without parsing them. */
function mergeJson(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`
}

type SettleRecord = Omit<OpenEntry, 'requestId' | 'startedAt' | keyof SessionKeys> &
  Partial<SessionKeys> &
  Omit<Outcome, 'endedAt' | 'estimateFrom' | 'upstreamRequestId' | 'attempts' | 'answeredBy'> &
  Partial<Pick<Outcome, 'upstreamRequestId'>> &
  Pick<Settled, 'counted' | 'isInterrupted'> & { endedAt: number; attempts?: WrittenAttempt[] }

export function readSettled(id: string, payload: Buffer): Settled {
  const requestId = `req_${id}`
  const {
    endedAt,
    statusCode,
    errorMessage,
    ttftMs,
    usage,
    counted,
    isInterrupted,
    isUnread = false,
    upstreamRequestId = null,
    attempts,
    upstreamMs,
    ...entry
  } = JSON.parse(payload.toString()) as SettleRecord
  return {
    entry: { sessionKey: null, subagentKey: null, ...entry, requestId, startedAt: requestTime(requestId) },
    outcome: {
      endedAt: new Date(endedAt),
      statusCode,
      errorMessage,
      ttftMs,
      usage,
      isUnread,
      upstreamRequestId,
      ...(attempts && { attempts: readAttempts(attempts) }),
      ...(upstreamMs !== undefined && { upstreamMs }),
    },
    counted,
    isInterrupted: isInterrupted === true,
  }
}
