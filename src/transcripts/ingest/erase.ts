import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import type { Deriver } from '../derive/index.ts'
import type { TranscriptSearch } from '../search/index.ts'
import { listChunks } from '../store/chunk-store.ts'
import * as store from '../store/erase-store.ts'
import type { SessionRow } from '../store/read-store.ts'
import { assistantLock } from './ingest.ts'
import { blankLines } from './without-erased.ts'

/** Erases a session with its subagents: rows, kept lines and images. A watcher does not bring them back. */
export async function eraseSession(
  { pool, deriver, search }: { pool: pg.Pool; deriver: Deriver; search: TranscriptSearch },
  session: SessionRow,
): Promise<void> {
  const owner = { group: session.group_no, assistant: session.assistant }
  await inTransaction(pool, async (client) => {
    await lockUntilCommit(client, assistantLock(owner.group, owner.assistant))
    const erased = await store.withSubagents(client, owner, session.no)
    const nos = erased.map(({ no }) => no)
    await store.rememberDeleted(client, owner, erased)
    const sources = await store.sourcesOf(client, nos)
    const shared = sources.filter(({ is_shared }) => is_shared)
    await store.emptySources(
      client,
      sources.filter(({ is_shared }) => !is_shared).map(({ no }) => no),
    )
    const keys = erased.map(({ external_id }) => external_id)
    for (const source of shared)
      for (const line of await listChunks(client, source.no))
        await blankLines(client, deriver, source, line, keys)
    const sharedNos = shared.map(({ no }) => no)
    await store.noteErasure(client, sharedNos)
    await store.dropImages(client, nos, sharedNos)
    await search.erase(client, owner.group, nos)
    await store.eraseSessions(client, nos)
    await store.dropUnusedBlobs(client, owner.group)
  })
}
