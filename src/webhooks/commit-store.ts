import { sql, type Kysely } from 'kysely'
import type { WebhookTables } from './tables.ts'

type Db = Kysely<WebhookTables>

/** A commit that is pushed to several branches keeps its earliest time. */
export async function saveCommits(
  db: Db,
  groupId: string,
  commits: readonly { sha: string; committedAt: Date }[],
): Promise<void> {
  // One statement must not write a row twice.
  const unique = [...new Map(commits.map((commit) => [commit.sha, commit])).values()]
  const times = unique.map(({ committedAt }) => committedAt.toISOString())
  await sql`
    insert into webhooks.commits (group_id, sha, committed_at)
    select ${groupId}, sha, at
    from unnest(${unique.map(({ sha }) => sha)}::text[], ${times}::timestamptz[]) as new (sha, at)
    order by sha
    on conflict (group_id, sha) do update
      set committed_at = least(commits.committed_at, excluded.committed_at)
  `.execute(db)
}

export async function commitTime(db: Db, groupId: string, sha: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('webhooks.commits')
    .select('committed_at')
    .where('group_id', '=', groupId)
    .where('sha', '=', sha)
    .executeTakeFirst()
  return row?.committed_at
}

export async function deleteOldCommits(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from webhooks.commits where (group_id, sha) in (
      select group_id, sha from webhooks.commits where received_at < ${before} order by received_at limit ${limit}
    ) returning sha
  `.execute(db)
  return rows.length
}
