import type { Kysely } from 'kysely'
import { messageOf } from '#kernel/errors'
import type { AgentTables } from '../tables.ts'
import type { RunDeps } from './deps.ts'
import { appendEvents } from './event-store.ts'
import { finish, finishIdle } from './finish.ts'
import { endMarked } from './process-tree.ts'
import { resumeDecided } from './resume.ts'
import { interrupted } from './run-fault.ts'
import {
  claimRun,
  findIdleToCancel,
  findLost,
  leaseSeconds,
  listRunKeys,
  renewLeases,
  type RunRow,
} from './run-store.ts'
import { supervise, type Stop } from './supervise.ts'
import { tellTicket } from './ticket.ts'

export interface Scheduler {
  start(): void
  /** Something may have changed: look now. */
  poke(): void
  /** Ends the runs of this process. Those that wait for a person or for their turn are not touched. */
  stop(): Promise<void>
}

const busyMs = 1_000
const idleMs = 5_000

/**
 * Runs what is queued, in this process. The row of a run says which process has it and until when; a process that dies
 * stops to say so, and another one ends what it left.
 */
export function createScheduler(deps: RunDeps & { startDue(): Promise<void> }): Scheduler {
  const db: Kysely<AgentTables> = deps.database.tables()
  const running = new Map<string, { stop(reason: Stop): void; done: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isAsked = false
  let isStopped = false
  let renewedAt = performance.now()
  let hasFailed = false

  async function run(row: RunRow, stopped: Promise<Stop>): Promise<void> {
    try {
      await appendEvents(db, row.id, [{ type: 'status', status: 'running', waiting_for: null }])
      await tellTicket(deps, db, row)
      await finish(deps, row, await supervise(deps, row, stopped))
    } catch (error) {
      deps.log.error({ error: messageOf(error), run_id: row.id }, 'a run could not be stored')
    } finally {
      running.delete(row.id)
      poke()
    }
  }

  function take(row: RunRow): void {
    let stop = (_reason: Stop): void => undefined
    const stopped = new Promise<Stop>((resolve) => (stop = resolve))
    // Entered before it runs, because its end removes it.
    const entry = { stop, done: Promise.resolve() }
    running.set(row.id, entry)
    entry.done = run(row, stopped)
  }

  async function renew(): Promise<void> {
    const kept = new Map(
      (await renewLeases(db, deps.processId, [...running.keys()])).map((row) => [row.id, row]),
    )
    for (const [id, entry] of running) {
      const row = kept.get(id)
      // Another process took it for lost and has ended it.
      if (!row) entry.stop(interrupted())
      else if (row.cancel_requested) entry.stop({ status: 'cancelled' })
    }
    renewedAt = performance.now()
  }

  async function endLost(): Promise<void> {
    for (const row of await findLost(db)) {
      if (running.has(row.id)) continue
      await endMarked(row.id)
      for (const key of await listRunKeys(db, row.id)) await deps.runKeys.end(key)
      const { code, message } = interrupted()
      await finishIdle(deps, row, { status: 'failed', error: { code, message } })
    }
  }

  async function endCancelled(): Promise<void> {
    for (const row of await findIdleToCancel(db)) await finishIdle(deps, row, { status: 'cancelled' })
  }

  async function look(): Promise<boolean> {
    await renew()
    await endLost()
    await endCancelled()
    const waits = await resumeDecided(deps)
    if (deps.address() !== '') await deps.startDue()
    while (!isStopped && deps.address() !== '') {
      const row = await claimRun(db, deps.processId, deps.config.AGENT_MAX_RUNS)
      if (!row) break
      take(row)
    }
    return waits
  }

  /** Without the database nobody can say whether the runs are still ours. */
  function giveUp(error: unknown): void {
    if (!hasFailed) deps.log.warn({ reason: messageOf(error) }, 'runs of agents could not be looked after')
    hasFailed = true
    if (performance.now() - renewedAt < leaseSeconds * 1_000) return
    for (const entry of running.values()) entry.stop(interrupted())
  }

  function poke(): void {
    if (isStopped) return
    isAsked = true
    looking ??= lookAgain().finally(() => (looking = undefined))
  }

  async function lookAgain(): Promise<void> {
    clearTimeout(timer)
    let waits = false
    while (isAsked && !isStopped) {
      isAsked = false
      try {
        waits = await look()
        hasFailed = false
      } catch (error) {
        giveUp(error)
      }
    }
    const isBusy = running.size > 0 || waits || deps.address() === ''
    if (!isStopped) timer = setTimeout(poke, isBusy ? busyMs : idleMs).unref()
  }

  return {
    start: poke,
    poke,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await looking
      for (const entry of running.values()) entry.stop(interrupted())
      await Promise.all([...running.values()].map((entry) => entry.done))
    },
  }
}
