import { noUsage } from '../../wire/chunk-writer.ts'
import type { Usage } from '../../provider.ts'
import { countOf, isAbsent, isObject, objectOf, statedCount, type JsonObject } from '../../wire/json.ts'

/**
 * A newer report over an older one: counts are totals so far, so they replace and never add up; what the newer
 * one leaves open stays known.
 */
export function mergeUsage(known: JsonObject | null, report: unknown): JsonObject | null {
  if (!isObject(report)) return known
  const stated = Object.entries(report).filter(([, value]) => !isAbsent(value))
  return { ...known, ...Object.fromEntries(stated) }
}

/** Anthropic's input_tokens leave out what was read from and written to the cache. */
export function toUsage(report: JsonObject | null): Usage | null {
  if (!report) return null
  const written = objectOf(report['cache_creation'])
  const short = countOf(written['ephemeral_5m_input_tokens'])
  const long = countOf(written['ephemeral_1h_input_tokens'])
  const total = statedCount(report['cache_creation_input_tokens']) ?? short + long
  const output = countOf(report['output_tokens'])
  const thinking = countOf(objectOf(report['output_tokens_details'])['thinking_tokens'])
  const searches = countOf(objectOf(report['server_tool_use'])['web_search_requests'])
  return {
    ...noUsage,
    uncached: countOf(report['input_tokens']),
    cacheRead: countOf(report['cache_read_input_tokens']),
    cacheWrite: Math.max(0, total - long),
    cacheWriteLong: Math.min(long, total),
    output,
    reasoning: Math.min(thinking, output),
    units: searches > 0 ? { web_search: searches } : {},
  }
}
