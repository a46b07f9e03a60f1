import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { claimDue, nextDue } from '../delivery-store.ts'
import type { DeliverDeps } from './channel-state.ts'
import { deliver } from './deliver.ts'

export interface Deliverer {
  /** Something may be due: look now. */
  wake(): void
  stop(): Promise<void>
}

const maxRunning = 20
const leastWaitMs = 1_000
/** A message of another process that was lost is found after this time. */
const longestWaitMs = 60_000
const retryMs = 5_000

/** Delivers what is due. Replicas share the work: the database hands each delivery to one of them. */
export function createDeliverer(deps: DeliverDeps & { log: Log }): Deliverer {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isWaiting = false
  let hasFailed = false

  async function look(): Promise<void> {
    clearTimeout(timer)
    let waitMs = retryMs
    try {
      // Links need the address, which is known once the server listens.
      const free = deps.base() === '' ? 0 : maxRunning - running.size
      for (const row of free > 0 ? await claimDue(deps.db, free) : []) {
        const done: Promise<void> = deliver(deps, row, stopping.signal)
          .catch((error: unknown) =>
            deps.log.warn({ delivery: row.id, reason: messageOf(error) }, 'a delivery was not stored'),
          )
          .finally(() => {
            running.delete(done)
            // One about the same thing may have waited for it.
            wake()
          })
        running.add(done)
      }
      const next = (await nextDue(deps.db))?.getTime() ?? Infinity
      waitMs = Math.min(Math.max(next - Date.now(), leastWaitMs), longestWaitMs)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) deps.log.warn({ reason: messageOf(error) }, 'notifications wait after an error')
      hasFailed = true
    }
    if (!stopping.signal.aborted) timer = setTimeout(wake, waitMs).unref()
  }

  function wake(): void {
    if (stopping.signal.aborted || isWaiting) return
    isWaiting = true
    // One look at a time; who wakes during one gets another after it.
    looking = looking.then(() => {
      isWaiting = false
      return look()
    })
  }

  return {
    wake,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(running)
    },
  }
}
