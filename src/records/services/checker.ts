import type { Config } from '#kernel/config'
import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Db } from '../record-store.ts'
import { claimDue, type DueService } from './check-store.ts'
import { probe } from './probe.ts'
import { saveResult } from './save-result.ts'

export interface Checker {
  start(): void
  /** A service has come due: do not wait for the next look. */
  wake(): void
  stop(): Promise<void>
}

interface CheckerDeps {
  db: Db
  events: Events
  log: Log
  config: Config
  version: string
}

const maxRunning = 50
const lookEveryMs = 1_000
const retryMs = 5_000

/** Runs the health checks that are due. Replicas share the work: the database hands each check to one of them. */
export function createChecker({ db, events, log, config, version }: CheckerDeps): Checker {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const userAgent = `Signalbox/${version} (health check)`
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isWaiting = false
  let hasFailed = false

  async function check(due: DueService): Promise<void> {
    const at = new Date()
    const allowPrivate = due.allow_private && config.UPSTREAM_PRIVATE
    const result = await probe({ ...due, allowPrivate }, userAgent, stopping.signal)
    // A check that the stop cut short says nothing about the service.
    if (!stopping.signal.aborted) await saveResult({ db, events }, due, at, result)
  }

  function run(due: DueService): void {
    const checked: Promise<void> = check(due)
      .catch((error: unknown) =>
        log.warn({ service: due.id, reason: messageOf(error) }, 'a health check was not saved'),
      )
      .finally(() => {
        running.delete(checked)
        // Others may be waiting for a place.
        if (running.size === maxRunning - 1) wake()
      })
    running.add(checked)
  }

  async function look(): Promise<void> {
    clearTimeout(timer)
    try {
      const free = maxRunning - running.size
      for (const due of free > 0 ? await claimDue(db, free) : []) run(due)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn({ reason: messageOf(error) }, 'health checks are paused after an error')
      hasFailed = true
    }
    if (!stopping.signal.aborted) timer = setTimeout(wake, hasFailed ? retryMs : lookEveryMs)
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
    start: wake,
    wake,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(running)
    },
  }
}
