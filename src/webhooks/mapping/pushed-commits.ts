import type { CommitsChange } from './change.ts'
import { arrayAt, cleanText, linkAt, textAt, timeAt } from './payload.ts'

/** GitHub sends at most 2,048 commits with a push. */
const maxCommits = 2_048

/**
 * The commits of a push, oldest first. Each gets the time of the oldest commit up to it: deploying it deploys
 * that one, too, and the lead time counts from there.
 */
export function pushedCommits(payload: unknown, repository: string | null): CommitsChange['commits'] {
  let oldest: Date | undefined
  const branch = /^refs\/heads\/(.+)$/.exec(textAt(payload, 'ref', 300) ?? '')?.[1]
  return arrayAt(payload, 'commits')
    .slice(0, maxCommits)
    .flatMap((commit) => {
      const sha = textAt(commit, 'id', 64)
      const at = timeAt(commit, 'timestamp')
      if (sha === null || at === null) return []
      oldest = oldest && oldest < at ? oldest : at
      return [
        {
          sha,
          committedAt: oldest,
          madeAt: at,
          repository: repository ?? undefined,
          branch,
          message: firstLine(commit),
          author: textAt(commit, 'author.name', 100) ?? undefined,
          url: linkAt(commit, 'url') ?? undefined,
        },
      ]
    })
}

const firstLine = (commit: unknown): string | undefined =>
  cleanText(textAt(commit, 'message', 1_000)?.split('\n')[0] ?? '', 300) ?? undefined
