import type { SearchResult } from '#search/contract'

/** Below this no model that we know calls two texts related. */
const floor = 0.15

type Measured = Pick<SearchResult, 'matched' | 'similarity'>

/**
 * Something is always nearest, however far away. What has none of the words and is less than half as near as the best
 * is not offered as found.
 */
export function nearOf<Result extends Measured>(results: readonly Result[]): Result[] {
  const best = results.reduce((most, { similarity }) => Math.max(most, similarity ?? 0), 0)
  const least = Math.max(floor, best / 2)
  return results.filter(({ matched, similarity }) => matched.includes('words') || (similarity ?? 0) >= least)
}
