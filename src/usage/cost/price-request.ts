import type { Settled } from '../ledger/records.ts'
import type { LedgerRow } from '../row.ts'
import { withAttempts } from './attempts.ts'
import { billedFor, milliseconds, statedCost } from './billed.ts'
import { calculateCost } from './cost.ts'
import type { PriceCatalog } from './price-catalog.ts'
import { storableJson, storableText } from './storable.ts'
import { isoTime } from './iso-time.ts'

/** Prices a settled request unless that was done before. */
export function priceOnce(settled: Settled, prices: Pick<PriceCatalog, 'priceFor'>): LedgerRow {
  settled.priced ??= priceRequest(settled, prices)
  return settled.priced
}

/** A settled request with its cost, by the price in force when it started; ready to be inserted. */
export function priceRequest(settled: Settled, prices: Pick<PriceCatalog, 'priceFor'>): LedgerRow {
  const row = priceAnswer(settled, prices)
  return settled.outcome.attempts ? withAttempts(row, settled, prices) : row
}

/** As if the provider that answered had been the only one that was called. */
function priceAnswer(
  { entry, outcome, counted, isInterrupted = false }: Settled,
  prices: Pick<PriceCatalog, 'priceFor'>,
): LedgerRow {
  const answered = outcome.answeredBy ?? entry
  // The hourly sums index the model, and index entries are limited in size.
  const model = storableText(answered.model, 300)
  const price = isInterrupted
    ? null
    : prices.priceFor(entry.groupId, answered.provider, model, entry.startedAt)
  const billed = billedFor(outcome, counted)
  const cost = outcome.isUnread === true || isInterrupted ? null : calculateCost(billed, price?.row ?? null)
  // Requests for models that do not exist fail and cost nothing; their prices are not stored.
  const used = cost?.usesPrice ? price : null
  const startedAt = entry.startedAt.getTime()
  const endedAt = Math.max(outcome.endedAt.getTime(), startedAt)
  return {
    id: entry.requestId.slice('req_'.length),
    group_id: entry.groupId,
    api_key_id: entry.apiKeyId,
    provider_key_id: answered.providerKeyId,
    price_id: used?.row.id ?? null,
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    prompt_tokens: billed.prompt_tokens,
    completion_tokens: billed.completion_tokens,
    cached_tokens: billed.cached_tokens,
    cache_write_tokens: billed.cache_write_tokens,
    cache_write_long_tokens: billed.cache_write_long_tokens,
    reasoning_tokens: billed.reasoning_tokens,
    audio_input_tokens: billed.audio_input_tokens,
    audio_output_tokens: billed.audio_output_tokens,
    duration_ms: milliseconds(endedAt - startedAt),
    ttft_ms: outcome.ttftMs === null ? null : milliseconds(outcome.ttftMs),
    status_code: billed.status_code,
    streamed: entry.isStream,
    usage_source: billed.usage_source,
    provider: answered.provider,
    model,
    endpoint: entry.endpoint,
    input_cost: cost?.input_cost ?? null,
    output_cost: cost?.output_cost ?? null,
    stated_cost: statedCost(outcome.usage),
    user_label: entry.userLabel === null ? null : storableText(entry.userLabel, 256),
    session_key: entry.sessionKey,
    subagent_key: entry.subagentKey,
    upstream_request_id:
      outcome.upstreamRequestId === null ? null : storableText(outcome.upstreamRequestId, 200),
    error_message: outcome.errorMessage === null ? null : storableText(outcome.errorMessage, 2000),
    units: billed.units,
    metadata: entry.metadata && (storableJson(entry.metadata) as Record<string, unknown>),
    route: entry.route === undefined || entry.route === null ? null : storableText(entry.route, 300),
    attempts: null,
    attempt_count: null,
    upstream_ms: outcome.upstreamMs === undefined ? null : milliseconds(outcome.upstreamMs),
    new_prices: used && !used.isStored ? [used.row] : none,
  }
}

const none: readonly never[] = []
