import type { ThingType } from '../shapes/thing.ts'
import type { Db } from '../tables.ts'
import { refresh } from './find-store.ts'
import { deleteLinksToNothing, foundLinks, sessionsWithAddresses } from './sweep-store.ts'

const batch = 500

/**
 * Finds every link again, so that those of things that are gone go too. A session is not read again when a ticket comes
 * whose address is in its prompt: here it is.
 */
export async function sweep(db: Db, isStopping: () => boolean): Promise<void> {
  await inPages(
    isStopping,
    (after) => foundLinks(db, after, batch),
    async (links) => {
      const ends = links.flatMap(({ from_type, from_id, to_type, to_id }) => [
        { type: from_type, id: from_id },
        { type: to_type, id: to_id },
      ])
      for (const [type, same] of Map.groupBy(ends, (end): ThingType => end.type))
        await refresh(db, type, [...new Set(same.map(({ id }) => id))])
    },
  )
  await inPages(
    isStopping,
    (after) => sessionsWithAddresses(db, after, batch),
    (sessions) =>
      refresh(
        db,
        'session',
        sessions.map(({ id }) => id),
      ),
  )
  if (!isStopping()) await deleteLinksToNothing(db)
}

async function inPages<Row extends { id: string }>(
  isStopping: () => boolean,
  read: (after: string) => Promise<Row[]>,
  work: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  while (!isStopping()) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    await work(rows)
  }
}
