import type { OpenEntry } from '#gateway'
import { requestTime } from '#kernel/http'
import { reckon } from '../cost/reckon.ts'
import { settleRecord } from './settle-record.ts'

type OpenRecord = Omit<OpenEntry, 'requestId' | 'startedAt'>

/** What the journal keeps of a request that has begun. Its id, and with it the time, stands in the frame. */
export function openRecord({ requestId: _id, startedAt: _at, ...record }: OpenEntry): string {
  return JSON.stringify(record satisfies OpenRecord)
}

/**
 * The row of a request whose process ended before it did. What the provider delivered or charged is not known, so it
 * has neither tokens nor a cost.
 */
export function interruptedRow(id: string, payload: Buffer, processEndedAt: Date): string {
  const requestId = `req_${id}`
  const record = JSON.parse(payload.toString()) as OpenRecord
  const outcome = {
    endedAt: processEndedAt,
    statusCode: 500,
    errorMessage: 'interrupted',
    ttftMs: null,
    usage: null,
    estimateFrom: null,
  }
  const entry = { ...record, requestId, startedAt: requestTime(requestId) }
  return settleRecord(reckon(entry, outcome, { priceFor: () => null }))
}
