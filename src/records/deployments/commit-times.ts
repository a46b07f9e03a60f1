import { sql } from 'kysely'
import type { Db } from '../record-store.ts'
import type { CommitTime } from '../writer.ts'

/** Deployments whose commit time is not known yet get it. */
export async function setCommitTimes(db: Db, groupId: string, commits: readonly CommitTime[]): Promise<void> {
  const shas = commits.map(({ sha }) => sha)
  const times = commits.map(({ committedAt }) => committedAt.toISOString())
  await sql`
    update records.deployments d set committed_at = c.at, updated_at = now()
    from unnest(${shas}::text[], ${times}::timestamptz[]) as c (sha, at)
    where d.group_id = ${groupId} and d.commit = c.sha and d.committed_at is null`.execute(db)
}
