import type { CommitsChange } from './change.ts'
import { arrayAt, textAt, timeAt } from './payload.ts'

/** GitHub sends at most 2,048 commits with a push. */
const maxCommits = 2_048

/**
 * The commits of a push, oldest first. Each gets the time of the oldest commit up to it: deploying it deploys
 * that one, too, and the lead time counts from there.
 */
export function pushedCommits(payload: unknown): CommitsChange['commits'] {
  let oldest: Date | undefined
  return arrayAt(payload, 'commits')
    .slice(0, maxCommits)
    .flatMap((commit) => {
      const sha = textAt(commit, 'id', 64)
      const at = timeAt(commit, 'timestamp')
      if (sha === null || at === null) return []
      oldest = oldest && oldest < at ? oldest : at
      return [{ sha, committedAt: oldest }]
    })
}
