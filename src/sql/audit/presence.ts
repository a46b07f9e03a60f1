import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { tryWithLock, withOwnLock } from '#kernel/db'

/*
 * While a process runs statements it holds a lock under its name. PostgreSQL releases it when the process dies, and so
 * others know which open attempts nobody will settle any more.
 */

const lockName = (process: string): string => `sql process ${process}`

export interface Presence {
  /** The name of this process. */
  process: string
  /** Holds the lock while the work runs. */
  during<T>(work: () => Promise<T>): Promise<T>
}

export function createPresence(sessions: pg.Pool): Presence {
  const process = randomUUID()
  let running = 0
  let held: { taken: Promise<void>; release(): void } | undefined

  function hold(): NonNullable<typeof held> {
    let release = (): void => undefined
    const until = new Promise<void>((resolve) => (release = resolve))
    let isTaken = (): void => undefined
    const taken = new Promise<void>((resolve) => (isTaken = resolve))
    const released = withOwnLock(sessions, lockName(process), async () => {
      isTaken()
      await until
    })
    // Reported by `taken`; once it is taken, a lost connection only means that the lock is free.
    released.catch(() => undefined)
    return { taken: Promise.race([taken, released]), release }
  }

  return {
    process,
    async during(work) {
      running++
      held ??= hold()
      const mine = held
      try {
        await mine.taken
        return await work()
      } catch (error) {
        // A lock that was not taken must not keep later statements from trying again.
        if (held === mine) await mine.taken.catch(() => (held = undefined))
        throw error
      } finally {
        running--
        if (running === 0 && held === mine) {
          held = undefined
          mine.release()
        }
      }
    },
  }
}

/** Does the work if the process is dead. */
export async function ifDead(
  sessions: pg.Pool,
  process: string,
  work: () => Promise<void>,
): Promise<boolean> {
  return tryWithLock(sessions, lockName(process), work)
}
