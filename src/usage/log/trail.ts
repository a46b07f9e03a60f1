import type { CostLine, UsageAttempt, UsageLog } from '../contract.ts'
import { tokensOf } from '../cost/attempts.ts'
import { costLines } from '../cost/cost.ts'
import type { PriceRow } from '../row.ts'
import type { LedgerAttempt } from '../tables.ts'
import type { LogRow } from './log-store.ts'
import { totalOf } from './shapes.ts'

/** Every call of a request. Most made one, and their row says all about it. */
export function attemptsOf(row: LogRow, shown: UsageLog): UsageAttempt[] {
  if (row.attempts) return row.attempts.map(toAttempt)
  if (shown.attempt_count === 0 || row.provider === null || row.provider_key_id === null) return []
  return [
    {
      provider: row.provider,
      provider_key_id: row.provider_key_id,
      model: row.model,
      status_code: row.status_code,
      error_code: null,
      started_at: shown.started_at,
      duration_ms: row.upstream_ms ?? row.duration_ms,
      prompt_tokens: shown.prompt_tokens,
      completion_tokens: shown.completion_tokens,
      total_cost: shown.total_cost,
    },
  ]
}

function toAttempt(attempt: LedgerAttempt): UsageAttempt {
  const { provider, provider_key_id, model, status_code, error_code, started_at, duration_ms } = attempt
  const { prompt_tokens, completion_tokens } = tokensOf(attempt)
  const total_cost = totalOf(attempt.input_cost, attempt.output_cost)
  const call = { provider, provider_key_id, model, status_code, error_code, started_at, duration_ms }
  return { ...call, prompt_tokens, completion_tokens, total_cost }
}

/** The cost lines of all calls, each by the price of its own model. Null when nobody knows what the answer cost. */
export function linesOf(
  attempts: readonly LedgerAttempt[],
  prices: ReadonlyMap<string, PriceRow>,
): CostLine[] | null {
  const each = attempts.map((attempt) => {
    const price = prices.get(attempt.price_id ?? '') ?? null
    return costLines({ ...tokensOf(attempt), usage_source: attempt.usage_source, status_code: 502 }, price)
  })
  if (attempts.at(-1)?.input_cost === null) return null
  const last = each.length - 1
  return each.flatMap((lines, index) =>
    (lines ?? []).map((line) =>
      index === last ? line : { ...line, what: `${line.what}, attempt ${index + 1}` },
    ),
  )
}
