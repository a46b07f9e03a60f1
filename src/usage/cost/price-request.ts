import type { Outcome, Usage } from '#gateway'
import type { Settled } from '../ledger/records.ts'
import type { LedgerRow } from '../row.ts'
import type { UsageSource } from '../tables.ts'
import { calculateCost, type Billed } from './cost.ts'
import { readDecimal, writeDecimal } from '#kernel/decimal'
import type { PriceCatalog } from './price-catalog.ts'
import { storableJson, storableText } from './storable.ts'
import { isoTime } from './iso-time.ts'

/** Prices a settled request unless that was done before. */
export function priceOnce(settled: Settled, prices: Pick<PriceCatalog, 'priceFor'>): LedgerRow {
  settled.priced ??= priceRequest(settled, prices)
  return settled.priced
}

/** A settled request with its cost, by the price in force when it started; ready to be inserted. */
export function priceRequest(
  { entry, outcome, counted, isInterrupted = false }: Settled,
  prices: Pick<PriceCatalog, 'priceFor'>,
): LedgerRow {
  // The hourly sums index the model, and index entries are limited in size.
  const model = storableText(entry.model, 300)
  const price = isInterrupted ? null : prices.priceFor(entry.groupId, entry.provider, model, entry.startedAt)
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
    provider_key_id: entry.providerKeyId,
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
    provider: entry.provider,
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
    new_price: used && !used.isStored ? used.row : null,
  }
}

function billedFor(
  { usage, statusCode }: Pick<Outcome, 'usage' | 'statusCode'>,
  counted: Settled['counted'],
): Billed {
  // A cut stream may have reported only the beginning of its output. Where the provider reports running totals they are
  // better than our count, which is never wrong by half.
  if (usage && counted && counted.completion > 2 * usage.output)
    return billedBy(usage, counted.completion, 'estimated', statusCode)
  if (usage) return billedBy(usage, usage.output, 'provider', statusCode)
  if (!counted) return { ...nothing, usage_source: 'none', status_code: statusCode }
  const tokens = { prompt_tokens: tokensOf(counted.prompt), completion_tokens: tokensOf(counted.completion) }
  return { ...nothing, ...tokens, usage_source: 'estimated', status_code: statusCode }
}

function billedBy(usage: Usage, output: number, source: UsageSource, statusCode: number): Billed {
  const read = tokensOf(usage.cacheRead)
  const long = tokensOf(usage.cacheWriteLong)
  const written = tokensOf(usage.cacheWrite) + long
  return {
    prompt_tokens: tokensOf(usage.uncached) + read + written,
    completion_tokens: tokensOf(output),
    cached_tokens: read,
    cache_write_tokens: written,
    cache_write_long_tokens: long,
    reasoning_tokens: tokensOf(usage.reasoning),
    audio_input_tokens: tokensOf(usage.audioInput),
    audio_output_tokens: tokensOf(usage.audioOutput),
    units: unitsOf(usage.units),
    usage_source: source,
    status_code: statusCode,
  }
}

const nothing = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  cache_write_long_tokens: 0,
  reasoning_tokens: 0,
  audio_input_tokens: 0,
  audio_output_tokens: 0,
  units: null,
}

/** Limits what a provider reports, so that sums of many rows fit their column. */
const maxTokens = 1e12

function tokensOf(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), maxTokens) : 0
}

function unitsOf(units: Usage['units']): Record<string, number> | null {
  const reported = Object.entries(units)
  if (reported.length === 0) return null
  const valid = reported
    .filter(([, quantity]) => quantity > 0 && quantity <= maxTokens)
    .slice(0, 20)
    .map(([unit, quantity]) => [storableText(unit, 64), quantity] as const)
  return valid.length === 0 ? null : Object.fromEntries(valid)
}

function statedCost(usage: Usage | null): string | null {
  const stated = usage?.statedCost ? readDecimal(usage.statedCost) : null
  return stated && writeDecimal(stated)
}

const milliseconds = (value: number): number => Math.min(Math.max(0, Math.round(value)), 2 ** 31 - 1)
