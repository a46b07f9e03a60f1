import type { LedgerRow } from '../row.ts'

/** Counts that are mostly nought. In the journal they stand only when they are not. */
export const mostlyNought = [
  'cached_tokens',
  'cache_write_tokens',
  'cache_write_long_tokens',
  'reasoning_tokens',
  'audio_input_tokens',
  'audio_output_tokens',
] as const satisfies (keyof LedgerRow)[]

/**
 * What the journal keeps of a settled request. What is null or nought is left out: that is almost half of the text,
 * which is written, read again, sent and parsed for every request.
 */
export function settleRecord(row: LedgerRow): string {
  return JSON.stringify({
    ...row,
    cached_tokens: row.cached_tokens || undefined,
    cache_write_tokens: row.cache_write_tokens || undefined,
    cache_write_long_tokens: row.cache_write_long_tokens || undefined,
    reasoning_tokens: row.reasoning_tokens || undefined,
    audio_input_tokens: row.audio_input_tokens || undefined,
    audio_output_tokens: row.audio_output_tokens || undefined,
    ttft_ms: row.ttft_ms ?? undefined,
    stated_cost: row.stated_cost ?? undefined,
    user_label: row.user_label ?? undefined,
    error_message: row.error_message ?? undefined,
    units: row.units ?? undefined,
    metadata: row.metadata ?? undefined,
    new_price: row.new_price ?? undefined,
  })
}
