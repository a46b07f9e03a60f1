import { noUsage } from '../wire/chunk-writer.ts'
import type { Usage } from '../provider.ts'
import { shiftDecimal } from './decimal.ts'
import { countOf, isObject, objectOf } from '../wire/json.ts'
import { valueAt } from './members.ts'

/**
 * Usage as chat completions state it: the prompt includes what was read from and written to the cache, the
 * completion includes reasoning. Null when the response counts no tokens.
 */
export function readChatUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null
  if (typeof value['prompt_tokens'] !== 'number' && typeof value['completion_tokens'] !== 'number')
    return null
  const prompt = countOf(value['prompt_tokens'])
  const completion = countOf(value['completion_tokens'])
  const promptDetails = objectOf(value['prompt_tokens_details'])
  const completionDetails = objectOf(value['completion_tokens_details'])
  const reasoning = countOf(completionDetails['reasoning_tokens'] ?? value['reasoning_tokens'])
  // Some upstreams leave reasoning out of the completion, which shows in the total or in reasoning being larger.
  const isLeftOut =
    reasoning > completion ||
    (reasoning > 0 && countOf(value['total_tokens']) === prompt + completion + reasoning)
  const output = isLeftOut ? completion + reasoning : completion
  return {
    ...noUsage,
    ...splitInput(
      prompt,
      countOf(promptDetails['cached_tokens'] ?? value['prompt_cache_hit_tokens']),
      countOf(promptDetails['cache_write_tokens']),
    ),
    output,
    reasoning: Math.min(reasoning, output),
    audioInput: countOf(promptDetails['audio_tokens']),
    audioOutput: countOf(completionDetails['audio_tokens']),
  }
}

/** Parts that do not overlap and add up to the whole, whatever the upstream says about them. */
export function splitInput(whole: number, read: number, write: number) {
  const cacheRead = Math.min(read, whole)
  const cacheWrite = Math.min(write, whole - cacheRead)
  return { uncached: whole - cacheRead - cacheWrite, cacheRead, cacheWrite }
}

/** A number inside a JSON document with exactly its digits, written without an exponent. */
export function decimalAt(json: Buffer, path: readonly string[]): string | null {
  const value = valueAt(json, path)
  return value === undefined ? null : shiftDecimal(value.toString(), 0)
}
