import type { OpenEntry, Outcome } from '#gateway'
import type { Events } from '#kernel/events'
import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { LedgerRow } from '../row.ts'
import { ApiCallSampler } from './api-call-sampler.ts'

/** The row is asked for only when somebody listens. */
export type Announce = (entry: OpenEntry, outcome: Outcome, reckoned: () => LedgerRow) => void

/** Tells of every settled request, and of as many as may be told for the console. */
export function createAnnounce(events: Events, perSecond: number): Announce {
  const sampler = new ApiCallSampler(perSecond)
  return (entry, outcome, reckoned) => {
    if (!events.isHeard('request.settled') && !events.isHeard('api_call')) return
    const row = reckoned()
    const cost = totalCost(row)
    const told = {
      groupId: entry.groupId,
      by: null,
      requestId: entry.requestId,
      apiKeyId: entry.apiKeyId,
      provider: entry.provider,
      model: row.model,
      statusCode: row.status_code,
      durationMs: row.duration_ms,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cost,
    }
    events.emit('request.settled', {
      ...told,
      providerKeyId: entry.providerKeyId,
      endpoint: entry.endpoint,
      isStream: entry.isStream,
      errorMessage: outcome.errorMessage,
      ttftMs: outcome.ttftMs,
      usage: outcome.usage,
      usageSource: row.usage_source,
    })
    const isError = row.status_code >= 400
    const standsFor = sampler.choose(isError)
    if (standsFor === 0) return
    events.emit('api_call', {
      ...told,
      severity: isError ? 'error' : 'info',
      title: `${row.status_code} ${row.model || row.endpoint}`,
      message: row.error_message ?? inWords(row, cost),
      standsFor,
    })
  }
}

function inWords({ duration_ms, prompt_tokens, completion_tokens }: LedgerRow, cost: string | null): string {
  const price = cost === null ? 'no known price' : `$${cost}`
  return `${duration_ms} ms, ${prompt_tokens} tokens in, ${completion_tokens} out, ${price}`
}

function totalCost({ input_cost, output_cost }: LedgerRow): string | null {
  if (input_cost === null || output_cost === null) return null
  return writeDecimal(add(decimal(input_cost), decimal(output_cost)))
}
