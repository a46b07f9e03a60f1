import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SearchKind } from '#kernel/search'
import { putDocuments, removeDocuments } from './document-store.ts'
import { listStored, readCursor, trimKind } from './kind-store.ts'

const readBatch = 100
const sweepBatch = 2_000

export interface GatherDeps {
  pool: pg.Pool
  log: Log
  signal: AbortSignal
  sweepEveryMs: number
}

/** Reads what changed in each kind, and checks every stored document in turn for whether it still exists. */
export function createGather({ pool, log, signal, sweepEveryMs }: GatherDeps) {
  const sweeps = new Map<string, { after: string; next: number }>()

  async function read(kind: SearchKind): Promise<void> {
    for (let more = true; more && !signal.aborted;) {
      const cursor = await readCursor(pool, kind.kind)
      const changes = await kind.changed(cursor, readBatch)
      if (changes.documents.length > 0 || changes.cursor !== cursor)
        await putDocuments(pool, kind.kind, changes.documents, changes.cursor)
      more = changes.more
    }
  }

  async function sweep(kind: SearchKind): Promise<void> {
    const { after, next } = sweeps.get(kind.kind) ?? { after: '', next: 0 }
    if (Date.now() < next) return
    const stored = await listStored(pool, kind.kind, after, sweepBatch)
    if (stored.length > 0) await removeDocuments(pool, kind.kind, await kind.missing(stored))
    if (kind.maxPerGroup !== undefined) await trimKind(pool, kind.kind, kind.maxPerGroup)
    sweeps.set(kind.kind, {
      after: stored.length < sweepBatch ? '' : (stored.at(-1)?.id ?? ''),
      next: Date.now() + sweepEveryMs,
    })
  }

  /** A kind that fails must not keep the others out of the index. */
  async function unlessItFails(
    kind: SearchKind,
    work: (kind: SearchKind) => Promise<void>,
    failure: string,
  ): Promise<void> {
    try {
      await work(kind)
    } catch (error) {
      log.warn({ kind: kind.kind, reason: messageOf(error) }, failure)
    }
  }

  return async function gather(kinds: Iterable<SearchKind>): Promise<void> {
    for (const kind of kinds) {
      if (signal.aborted) return
      await unlessItFails(kind, read, 'documents could not be read for the search')
      // Also where nothing can be read: what was deleted leaves the index.
      await unlessItFails(kind, sweep, 'deleted documents could not be removed from the search')
    }
  }
}
