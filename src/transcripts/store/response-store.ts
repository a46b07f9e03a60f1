import type { CountedResponse } from '../calls/match.ts'
import type { Db } from './source-store.ts'

/** The responses of a provider that the session and its subagents count; those that a fork repeats are left out. */
export async function responsesOf(db: Db, sessionNo: string): Promise<CountedResponse[]> {
  const { rows } = await db.query<CountedResponse>(
    `with recursive tree as (
       select no, group_no, assistant, external_id from transcripts.sessions where no = $1
       union
       select child.no, child.group_no, child.assistant, child.external_id from transcripts.sessions child
       join tree on child.group_no = tree.group_no and child.assistant = tree.assistant
         and child.parent_key = tree.external_id
     )
     select u.input_tokens::float8 as "inputTokens", u.output_tokens::float8 as "outputTokens", u.created_at as at
     from transcripts.usage u where u.session_no in (select no from tree)`,
    [sessionNo],
  )
  return rows
}
