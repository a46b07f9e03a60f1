import type pg from 'pg'
import { invalidField } from '#kernel/errors'
import type { TranscriptDetail } from '../contract.ts'
import { relatedSessions, type SessionRow } from '../store/read-store.ts'
import { callsWithoutMessage } from '../calls/match.ts'
import { responsesOf } from '../store/response-store.ts'
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
  return {
    ...sessionJson(session, costs),
    subagents: subagents.map(relatedJson),
    forks: forks.map(relatedJson),
    links: session.links,
    costs: costs ?? [],
    calls_without_message: usage && costs ? await countCalls(pool, usage, groupId, session) : null,
    resume_command: resumeCommand(session),
  }
}

async function countCalls(
  pool: pg.Pool,
  usage: SessionCosts,
  groupId: string,
  session: SessionRow,
): Promise<number> {
  const calls = await usage.calls(groupId, session.external_id)
  return callsWithoutMessage(calls, await responsesOf(pool, session.no)).length
}

export const invalidChoice = (path: string, known: readonly string[]) =>
  invalidField(path, `must be one of ${known.join(', ')}`)
