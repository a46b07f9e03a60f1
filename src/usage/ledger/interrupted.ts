import type { OpenEntry } from '#gateway'
import { reckon } from '../cost/reckon.ts'

/**
 * The row of a request whose process ended before it did. What the provider delivered or charged is not known, so it
 * has neither tokens nor a cost.
 */
export function interruptedRow(payload: Buffer, processEndedAt: Date): string {
  const entry = JSON.parse(payload.toString()) as Omit<OpenEntry, 'startedAt'> & { startedAt: string }
  const outcome = {
    endedAt: processEndedAt,
    statusCode: 500,
    errorMessage: 'interrupted',
    ttftMs: null,
    usage: null,
    estimateFrom: null,
  }
  const row = reckon({ ...entry, startedAt: new Date(entry.startedAt) }, outcome, { priceFor: () => null })
  return JSON.stringify(row)
}
