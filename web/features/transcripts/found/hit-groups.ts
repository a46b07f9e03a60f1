import type { TranscriptHit, TranscriptSession } from '#transcripts/contract'

export interface HitGroup {
  session: TranscriptSession
  hits: TranscriptHit[]
}

/** Hits of one session together, in the order of each session's best hit. */
export function hitGroups(hits: readonly TranscriptHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>()
  for (const hit of hits) {
    const group = groups.get(hit.session.id)
    if (group) group.hits.push(hit)
    else groups.set(hit.session.id, { session: hit.session, hits: [hit] })
  }
  return [...groups.values()]
}
