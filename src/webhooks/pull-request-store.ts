import { sql, type Kysely } from 'kysely'
import type { PullRequestChange } from './mapping/change.ts'
import type { WebhookTables } from './tables.ts'

type Db = Kysely<WebhookTables>

/** Deliveries come in any order: what is older than what is stored changes nothing. */
export async function savePullRequest(db: Db, groupId: string, request: PullRequestChange): Promise<void> {
  const said = {
    repository: request.repository,
    number: request.number,
    title: request.title,
    branch: request.branch,
    author: request.author,
    head_sha: request.headSha?.toLowerCase() ?? null,
    merge_sha: request.mergeSha?.toLowerCase() ?? null,
    issues: request.issues,
    opened_at: request.openedAt,
    merged_at: request.mergedAt,
    stated_at: request.changedAt,
  }
  await db
    .insertInto('webhooks.pull_requests')
    .values({ group_id: groupId, url: request.url, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(['group_id', 'url'])
        .doUpdateSet({ ...said, changed_at: new Date() })
        .where('webhooks.pull_requests.stated_at', '<=', request.changedAt),
    )
    .execute()
}

export async function deleteOldPullRequests(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from webhooks.pull_requests where (group_id, url) in (
      select group_id, url from webhooks.pull_requests where changed_at < ${before} order by changed_at limit ${limit}
    ) returning url
  `.execute(db)
  return rows.length
}
