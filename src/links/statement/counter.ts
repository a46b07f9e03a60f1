import type pg from 'pg'
import { tryWithLock } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { moveCursor, readChanges, type Position } from '../find/find-store.ts'
import type { Source } from '../find/sources.ts'
import type { Db, Queries } from '../tables.ts'
import {
  countOthers,
  countSessions,
  forgetClaims,
  forgetSessions,
  groupsToCount,
  hoursToCount,
  sessionsIn,
  type HourSum,
  type Span,
} from './count-store.ts'
import { groupsOfSessions, treesOf } from './tree-store.ts'

export interface CounterDeps {
  db: Db
  /** For the lock: of all processes one at a time counts. */
  sessions: pg.Pool
  log: Log
}

/** Of its own beside that of the links, which wait for nothing here. */
const source: Source = {
  ...({ name: 'statement', view: 'sessions', type: 'session', thing: 'id', idType: 'uuid' } as const),
}
const sessionsAtOnce = 100
const hoursAtOnce = 100
/** A reader does not wait longer for what is still to be counted. */
const patienceMs = 5_000
const allTime: Span = { from: null, to: null }

/**
 * Keeps the sums of the statement. A session that has changed is counted whole, with everything in its tree; so is every
 * hour whose sums are not those of the usage log, whatever the reason: a late row, a corrected cost, a deleted session.
 */
export function createCounter({ db, sessions, log }: CounterDeps) {
  let isStopping = false
  let last: Promise<void> = Promise.resolve()

  async function count(groupId: string, ids: readonly string[], hours: readonly Date[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const changed = await countTrees(transaction, groupId, ids)
      await countOthers(transaction, groupId, distinct([...hours, ...changed]))
    })
  }

  async function countChanged(): Promise<void> {
    let after: Position | undefined
    for (let isMore = true; isMore && !isStopping;) {
      const { ids, last: reached, count: rows } = await readChanges(db, source, sessionsAtOnce, after)
      if (reached === undefined) return
      for (const [groupId, same] of await groupsOfSessions(db, ids)) await count(groupId, same, [])
      await moveCursor(db, source, reached)
      after = reached
      isMore = rows === sessionsAtOnce
    }
  }

  async function countHours(groupId: string, span: Span): Promise<void> {
    let { from, to } = span
    for (let isMore = true; isMore && !isStopping;) {
      const hours = await hoursToCount(db, groupId, { from, to }, hoursAtOnce)
      if (hours.length > 0) await count(groupId, await sessionsIn(db, groupId, hours), hours)
      // What was counted is not tried again in this round.
      to = hours.at(-1) ?? to
      isMore = hours.length === hoursAtOnce
    }
  }

  /** After those that run: readers at the same time would count the same. */
  function next(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (!isStopping) await tryWithLock(sessions, 'links statement', work)
    }
    const mine = last.then(run)
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    /** Everything there is: fills in what was there before, and what was changed by others than requests and sessions. */
    round: () =>
      next(async () => {
        await countChanged()
        for (const groupId of await groupsToCount(db)) await countHours(groupId, allTime)
      }),
    /** The period is counted, unless that takes long. */
    async caughtUp(groupId: string, span: Span): Promise<void> {
      let timeout: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => (timeout = setTimeout(resolve, patienceMs)))
      const counted = next(async () => {
        await countChanged()
        await countHours(groupId, span)
      }).catch((error: unknown) =>
        log.warn({ reason: messageOf(error) }, 'the statement may be out of date: it was not counted'),
      )
      await Promise.race([counted, patience])
      clearTimeout(timeout)
    },
    async stop(): Promise<void> {
      isStopping = true
      await last
    },
  }
}

export type Counter = ReturnType<typeof createCounter>

/** Returns the hours whose other requests have to be counted again. */
async function countTrees(db: Queries, groupId: string, ids: readonly string[]): Promise<Date[]> {
  const members = await treesOf(db, groupId, ids)
  if (members.length === 0) return []
  const all = members.map(({ id }) => id)
  const before = await forgetSessions(db, all)
  const freed = await forgetClaims(db, groupId, all)
  const { hours, claimed } = await countSessions(db, groupId, members)
  return [...freed, ...claimed, ...changedHours(before, hours)]
}

/** Requests that a session did not have before were those of no session. */
function changedHours(before: readonly HourSum[], now: readonly HourSum[]): Date[] {
  const sums = new Map(before.map(({ hour, requests }) => [hour.getTime(), requests]))
  const later = new Map(now.map(({ hour, requests }) => [hour.getTime(), requests]))
  return [...before, ...now].flatMap(({ hour }) =>
    sums.get(hour.getTime()) === later.get(hour.getTime()) ? [] : [hour],
  )
}

const distinct = (hours: readonly Date[]): Date[] =>
  [...new Set(hours.map((hour) => hour.getTime()))].map((time) => new Date(time))
