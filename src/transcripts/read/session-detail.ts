import type pg from 'pg'
import { invalidField } from '#kernel/errors'
import type { TranscriptDetail } from '../contract.ts'
import { relatedSessions, type SessionRow } from '../store/read-store.ts'
import { responseCount } from '../store/page-store.ts'
import type { SessionCosts } from './session-costs.ts'
import { relatedJson, resumeCommand, sessionJson } from './to-json.ts'

/** A session with what belongs to it. */
export async function sessionDetail(
  pool: pg.Pool,
  usage: SessionCosts | null,
  groupId: string,
  session: SessionRow,
): Promise<TranscriptDetail> {
  const costs = (await usage?.costs(groupId, [session.external_id]))?.get(session.external_id)
  const subagents = await relatedSessions(pool, session, 'parent_key')
  const forks = await relatedSessions(pool, session, 'fork_key')
  const requests = costs?.reduce((sum, each) => sum + each.requests, 0) ?? null
  return {
    ...sessionJson(session, costs),
    subagents: subagents.map(relatedJson),
    forks: forks.map(relatedJson),
    links: session.links,
    costs: costs ?? [],
    calls_without_message:
      requests === null ? null : Math.max(0, requests - (await responseCount(pool, session.no))),
    resume_command: resumeCommand(session),
  }
}

export const invalidChoice = (path: string, known: readonly string[]) =>
  invalidField(path, `must be of ${known.join(', ')}`)
