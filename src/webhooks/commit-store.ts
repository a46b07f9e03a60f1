import { sql, type Kysely } from 'kysely'
import type { PushedCommit } from './mapping/change.ts'
import type { WebhookTables } from './tables.ts'

type Db = Kysely<WebhookTables>

/** A commit that is pushed to several branches keeps its earliest time, and what was said of it first. */
export async function saveCommits(db: Db, groupId: string, commits: readonly PushedCommit[]): Promise<void> {
  // One statement must not write a row twice.
  const unique = [...new Map(commits.map((commit) => [commit.sha, commit])).values()]
  const each = <T>(read: (commit: PushedCommit) => T): T[] => unique.map(read)
  await sql`
    insert into webhooks.commits as known
      (group_id, sha, committed_at, made_at, repository, branch, message, author, url)
    select ${groupId}, sha, at, made_at, repository, branch, message, author, url
    from unnest(
      ${each(({ sha }) => sha)}::text[], ${each(({ committedAt }) => committedAt.toISOString())}::timestamptz[],
      ${each(({ madeAt }) => madeAt?.toISOString() ?? null)}::timestamptz[],
      ${each(({ repository }) => repository ?? null)}::text[], ${each(({ branch }) => branch ?? null)}::text[],
      ${each(({ message }) => message ?? null)}::text[], ${each(({ author }) => author ?? null)}::text[],
      ${each(({ url }) => url ?? null)}::text[]
    ) as new (sha, at, made_at, repository, branch, message, author, url)
    order by sha
    on conflict (group_id, sha) do update set
      committed_at = least(known.committed_at, excluded.committed_at),
      made_at = coalesce(known.made_at, excluded.made_at),
      repository = coalesce(known.repository, excluded.repository),
      branch = coalesce(known.branch, excluded.branch),
      message = coalesce(known.message, excluded.message),
      author = coalesce(known.author, excluded.author),
      url = coalesce(known.url, excluded.url),
      changed_at = now()
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
