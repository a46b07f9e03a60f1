import {
  arrayOf,
  countOf,
  isAbsent,
  isObject,
  objectOf,
  statedCount,
  type JsonObject,
} from '../../wire/json.ts'
import { noUsage } from '../../wire/chunk-writer.ts'
import type { Usage } from '../../provider.ts'

/** Reports are running totals: a newer one replaces, and what it leaves out stays known. */
export function mergeUsage(known: JsonObject | null, report: unknown): JsonObject | null {
  if (!isObject(report)) return known
  const stated = Object.entries(report).filter(([, value]) => !isAbsent(value))
  return { ...known, ...Object.fromEntries(stated) }
}

/** The prompt includes what was cached and leaves out what tools brought; candidates leave out thoughts. */
export function toUsage(report: JsonObject | null, searches: number): Usage | null {
  if (!report) return null
  const count = (name: string) => countOf(report[name])
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount')
  const cached = Math.min(count('cachedContentTokenCount'), input)
  const thoughts = count('thoughtsTokenCount')
  const rest = Math.max(0, count('totalTokenCount') - input - thoughts)
  const candidates = statedCount(report['candidatesTokenCount']) ?? rest
  return {
    ...noUsage,
    uncached: input - cached,
    cacheRead: cached,
    output: candidates + thoughts,
    reasoning: thoughts,
    audioInput: audioIn(report['promptTokensDetails']) + audioIn(report['toolUsePromptTokensDetails']),
    audioOutput: audioIn(report['candidatesTokensDetails']),
    units: searches > 0 ? { web_search: searches } : {},
  }
}

function audioIn(details: unknown): number {
  let tokens = 0
  for (const detail of arrayOf(details)) {
    const { modality, tokenCount } = objectOf(detail)
    if (modality === 'AUDIO') tokens += countOf(tokenCount)
  }
  return tokens
}
