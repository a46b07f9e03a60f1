import { noUsage } from '../../wire/chunk-writer.ts'
import type { Usage } from '../../provider.ts'
import {
  arrayOf,
  countOf,
  isAbsent,
  isObject,
  objectOf,
  statedCount,
  type JsonObject,
} from '../../wire/json.ts'

/**
 * A newer report over an older one: counts are totals so far, so they replace and never add up; what the newer
 * one leaves open stays known.
 */
export function mergeUsage(known: JsonObject | null, report: unknown): JsonObject | null {
  if (!isObject(report)) return known
  const stated = Object.entries(report).filter(([, value]) => !isAbsent(value))
  return { ...known, ...Object.fromEntries(stated) }
}

/** Anthropic's totals leave out the passes that compacted the conversation, which it bills like all others. */
export function toUsage(report: JsonObject | null): Usage | null {
  if (!report) return null
  const compactions = arrayOf(report['iterations'])
    .map(objectOf)
    .filter(({ type }) => type === 'compaction')
  const tokens = compactions.map(tokensOf).reduce(sum, tokensOf(report))
  const thinking = countOf(objectOf(report['output_tokens_details'])['thinking_tokens'])
  const searches = countOf(objectOf(report['server_tool_use'])['web_search_requests'])
  return {
    ...noUsage,
    ...tokens,
    reasoning: Math.min(thinking, tokens.output),
    units: searches > 0 ? { web_search: searches } : {},
  }
}

type Tokens = Pick<Usage, 'uncached' | 'cacheRead' | 'cacheWrite' | 'cacheWriteLong' | 'output'>

/** Anthropic's input_tokens leave out what was read from and written to the cache. */
function tokensOf(report: JsonObject): Tokens {
  const written = objectOf(report['cache_creation'])
  const short = countOf(written['ephemeral_5m_input_tokens'])
  const long = countOf(written['ephemeral_1h_input_tokens'])
  const total = statedCount(report['cache_creation_input_tokens']) ?? short + long
  return {
    uncached: countOf(report['input_tokens']),
    cacheRead: countOf(report['cache_read_input_tokens']),
    cacheWrite: Math.max(0, total - long),
    cacheWriteLong: Math.min(long, total),
    output: countOf(report['output_tokens']),
  }
}

const sum = (one: Tokens, other: Tokens): Tokens => ({
  uncached: one.uncached + other.uncached,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  cacheWriteLong: one.cacheWriteLong + other.cacheWriteLong,
  output: one.output + other.output,
})
