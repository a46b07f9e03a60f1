import type pg from 'pg'
import { tryWithLock } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { Db } from '../tables.ts'
import { moveCursor, readChanges, refresh, type Position } from './find-store.ts'
import { sources, type Source } from './sources.ts'
import { sweep } from './sweep.ts'

export interface FinderDeps {
  db: Db
  /** For the lock: of all processes one at a time looks for links. */
  sessions: pg.Pool
  log: Log
}

const batch = 500
/** A reader does not wait longer for links that are still to be found. */
const patienceMs = 3_000
const soonMs = 300

/**
 * Looks for links in what has changed. What a batch finds and how far it came are one transaction: after a kill the same
 * batch is looked at again, and adds nothing twice.
 */
export function createFinder({ db, sessions, log }: FinderDeps) {
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function readSource(source: Source): Promise<void> {
    let after: Position | undefined
    for (let isMore = true; isMore && !isStopping;)
      isMore = await db.transaction().execute(async (transaction) => {
        const { ids, last, count } = await readChanges(transaction, source, batch, after)
        if (last === undefined) return false
        await refresh(transaction, source.type, ids)
        await moveCursor(transaction, source, last)
        after = last
        return count === batch
      })
  }

  async function find(): Promise<void> {
    await tryWithLock(sessions, 'links', async () => {
      for (const source of sources) {
        if (isStopping) return
        await readSource(source)
      }
    })
  }

  /** A round that starts after the call; those who ask while one runs share the next. */
  function round(): Promise<void> {
    if (running === undefined) {
      running = find().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return round()
      })
    return next
  }

  return {
    round,
    /** Something has happened that may have links. */
    wake(): void {
      if (isStopping || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        round().catch((error: unknown) =>
          log.warn({ reason: messageOf(error) }, 'links were not looked for; the next minute does it'),
        )
      }, soonMs).unref()
    },
    /** What was there before the call has its links, unless that takes long. */
    async caughtUp(): Promise<void> {
      let timeout: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => (timeout = setTimeout(resolve, patienceMs)))
      const found = round().catch((error: unknown) =>
        log.warn({ reason: messageOf(error) }, 'links may be missing: they were not looked for'),
      )
      await Promise.race([found, patience])
      clearTimeout(timeout)
    },
    sweep: () => sweep(db, () => isStopping),
    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      await Promise.allSettled([running, next])
    },
  }
}

export type Finder = ReturnType<typeof createFinder>
