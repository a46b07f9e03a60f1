import type { OpenEntry, Outcome } from '#gateway'
import { requestTime } from '#kernel/http'

/** Tokens counted by us, where the provider did not say. */
export interface Counted {
  prompt: number
  completion: number
}

/** A request that has ended, as it is reckoned. */
export interface Settled {
  entry: OpenEntry
  outcome: Omit<Outcome, 'estimateFrom'>
  counted?: Counted | undefined
  /** Its process ended before it did. */
  isInterrupted?: boolean
}

/** What the journal keeps of a request that has begun. Its id, and with it the time, stands in the frame. */
export function openRecord(entry: OpenEntry): string {
  const { groupId, apiKeyId, provider, providerKeyId, model, endpoint, isStream, userLabel, metadata } = entry
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
  })
}

/**
 * What it keeps of one that has ended: the same again, so that no record needs another one, and the facts of its end.
 * What it cost is reckoned from them on the way to the database, where many are done at once.
 */
export function settleRecord(
  opened: string,
  { endedAt, statusCode, errorMessage, ttftMs, usage }: Omit<Outcome, 'estimateFrom'>,
  counted?: Counted,
): string {
  const end = JSON.stringify({ endedAt: endedAt.getTime(), statusCode, errorMessage, ttftMs, usage, counted })
  return joined(opened, end)
}

/**
 * Of a request whose process ended before it did. What the provider delivered or charged is not known, so it has
 * neither tokens nor a cost.
 */
export function interruptedRecord(opened: string, processEndedAt: Date): string {
  return joined(
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

/** One JSON object out of two, without reading them. */
function joined(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`
}

type SettleRecord = Omit<OpenEntry, 'requestId' | 'startedAt'> &
  Omit<Outcome, 'endedAt' | 'estimateFrom'> &
  Pick<Settled, 'counted' | 'isInterrupted'> & { endedAt: number }

export function readSettled(id: string, payload: Buffer): Settled {
  const requestId = `req_${id}`
  const { endedAt, statusCode, errorMessage, ttftMs, usage, counted, isInterrupted, ...entry } = JSON.parse(
    payload.toString(),
  ) as SettleRecord
  return {
    entry: { ...entry, requestId, startedAt: requestTime(requestId) },
    outcome: { endedAt: new Date(endedAt), statusCode, errorMessage, ttftMs, usage },
    counted,
    isInterrupted: isInterrupted === true,
  }
}
