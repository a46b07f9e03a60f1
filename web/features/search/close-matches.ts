import type { SearchResult } from '#search/contract'

/** Below this similarity no known model means that two texts are related. */
const floor = 0.15

type Measured = Pick<SearchResult, 'matched' | 'similarity'>

/**
 * A vector search always finds something. A result without any of the keywords and less than half as similar as the
 * best one is not shown as a match.
 */
export function closeMatches<Result extends Measured>(results: readonly Result[]): Result[] {
  const best = results.reduce((highest, { similarity }) => Math.max(highest, similarity ?? 0), 0)
  const least = Math.max(floor, best / 2)
  return results.filter(({ matched, similarity }) => matched.includes('words') || (similarity ?? 0) >= least)
}
