import type { Units } from './units.ts'

/** How a request that had to wait was answered. */
export type Verdict = 'taken' | 'spent' | 'busy' | 'outage'

/** A request for which there was no room. */
export interface Waiter {
  readonly need: Units
  readonly verdict: Promise<Verdict>
  /** The database was not asked for it yet. */
  isNew: boolean
  /** How long it waits for others to give back what they do not need. */
  readonly until: number
  done(verdict: Verdict): void
}

const patienceMs = 600
/** A connection on which the database says nothing is given up after five seconds. A busy machine takes one of them. */
const answerMs = 2_000

export function createWaiter(need: Units, giveUp: (waiter: Waiter) => void): Waiter {
  const { promise, resolve } = Promise.withResolvers<Verdict>()
  const timer = setInterval(() => giveUp(waiter), answerMs)
  const waiter: Waiter = {
    need,
    verdict: promise,
    isNew: true,
    until: performance.now() + patienceMs,
    done(verdict) {
      clearInterval(timer)
      resolve(verdict)
    },
  }
  return waiter
}
