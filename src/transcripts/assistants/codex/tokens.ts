import type { TokenCounts } from '../assistant.ts'
import { countOf, objectOf, type JsonObject } from '../json.ts'
import type { RolloutContext } from './context.ts'

export function tokensOf(usage: JsonObject): TokenCounts {
  return {
    input: countOf(usage['input_tokens']),
    cached: countOf(usage['cached_input_tokens']),
    cacheWrite: countOf(usage['cache_write_input_tokens']),
    output: countOf(usage['output_tokens']),
  }
}

/** The event of older versions. It is repeated without a call: the same turn and total is the same response. */
export function readTokenCount(
  { state, changes, sessionKey, at }: RolloutContext,
  payload: JsonObject,
): void {
  if (state.hasUsageRecords) return
  const info = objectOf(payload['info'])
  const total = tokensOf(objectOf(info['total_token_usage']))
  const key = `${state.turn ?? sessionKey}/${total.input}/${total.output}`
  const last = tokensOf(objectOf(info['last_token_usage']))
  changes.usage(sessionKey, key, state.model ?? undefined, last, at)
}
