import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import type { Deriver } from '../derive/index.ts'
import type { Db } from '../store/source-store.ts'
import * as store from './part-store.ts'

/** A part of fewer messages is merged with others. The index of the table says the same. */
const smallPart = 512
/** A search reads this many small parts in a few milliseconds. */
const maxSmall = 32
/** Parts to merge at once. */
const maxMergedParts = 64
const maxMergedMessages = 4_096
const quietMs = 1_000

/** Merges the small parts that running sessions leave, beside the import. */
export function createUpkeep(deps: { pool: pg.Pool; deriver: Deriver }) {
  // What an earlier process left is looked at once.
  let small = maxSmall
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  function run(): void {
    if (running !== undefined) return
    small = 0
    running = mergeSmallParts(deps)
      // The next one merges them.
      .catch(() => undefined)
      .finally(() => (running = undefined))
  }

  return {
    /** A part was added. */
    added(messages: number): void {
      if (messages >= smallPart || ++small < maxSmall) return
      clearTimeout(timer)
      timer = setTimeout(run, quietMs).unref()
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      await running
    },
  }
}

/** Parts of a group are merged and rewritten by one transaction at a time. */
export const indexLock = (group: number): string => `transcripts index ${group}`

export async function mergeSmallParts(deps: { pool: pg.Pool; deriver: Deriver }): Promise<void> {
  for (const owner of await store.crowdedOwners(deps.pool, smallPart, maxSmall))
    while (await mergeOnce(deps, owner));
}

/** Returns whether there may be more. */
function mergeOnce(
  { pool, deriver }: { pool: pg.Pool; deriver: Deriver },
  owner: store.PartOwner,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockUntilCommit(client, indexLock(owner.group))
    const parts = await store.smallParts(client, owner, smallPart, maxMergedParts)
    if (parts.length < maxSmall) return false
    let messages = 0
    const merged = parts.filter((part) => (messages += part.messages) <= maxMergedMessages)
    await replaceParts(client, deriver, owner, merged, [])
    return parts.length === maxMergedParts
  })
}

/** One part in the place of several, without some sessions. */
export async function replaceParts(
  db: Db,
  deriver: Deriver,
  owner: store.PartOwner,
  parts: readonly store.PartToMerge[],
  dropped: readonly string[],
): Promise<void> {
  const merged = await deriver.call({ kind: 'merge', parts: [...parts], dropped: [...dropped] })
  await store.dropParts(
    db,
    parts.map(({ no }) => no),
  )
  if (merged !== null) await store.addPart(db, owner, merged.sessions, merged.part)
}
