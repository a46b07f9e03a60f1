import type { Outcome, Usage } from '#gateway'
import { readDecimal, writeDecimal } from '#kernel/decimal'
import type { Settled } from '../ledger/records.ts'
import type { UsageSource } from '../tables.ts'
import type { Billed } from './cost.ts'
import { storableText } from './storable.ts'

/** What a call is billed for: what the provider reported, else what we counted. */
export function billedFor(
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

export function statedCost(usage: Usage | null): string | null {
  const stated = usage?.statedCost ? readDecimal(usage.statedCost) : null
  return stated && writeDecimal(stated)
}

export const milliseconds = (value: number): number => Math.min(Math.max(0, Math.round(value)), 2 ** 31 - 1)
