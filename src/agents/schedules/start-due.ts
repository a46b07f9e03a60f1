import type { Kysely } from 'kysely'
import { scopesIn, type Membership, type Principal } from '#kernel/auth'
import { Fault } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { isOpen, readStatus } from '../run/run-store.ts'
import type { Runs } from '../run/runs.ts'
import type { AgentTables } from '../tables.ts'
import { nextTime } from './cron.ts'
import { listDue, takeTime, type ScheduleRow } from './schedule-store.ts'
import { tellStopped, type Notify } from './notify.ts'

export interface DueDeps {
  db: Kysely<AgentTables>
  events: Events
  log: Log
  runs: Pick<Runs, 'ask'>
  notify: Notify
  /** A person with the groups that they are in now; undefined where there is none any more. */
  person(userId: string): Promise<Principal | undefined>
}

/** Somebody else took this time of the schedule: what was begun for it is undone. */
class Taken extends Error {}

/**
 * Starts a run for each schedule whose time has come. Every process looks; the one that moves the schedule to its next
 * time, in the transaction that makes the run, has it. Times that were missed count as one.
 */
export function createStartDue(deps: DueDeps) {
  const { db } = deps

  async function start(due: ScheduleRow): Promise<void> {
    const next_at = nextAfter(due)
    const before = due.last_run_id && (await readStatus(db, due.group_id, due.last_run_id))
    if (before && isOpen({ status: before }))
      return void (await takeTime(db, due, {
        next_at,
        last_error: 'Left out: the run before had not ended.',
      }))
    const rights = await rightsOf(due)
    if (typeof rights === 'string') return stop(due, rights)
    try {
      await deps.runs.ask(
        rights.principal,
        rights.group,
        due.agent_id,
        { request: due.request },
        {
          scheduleId: due.id,
          async within(transaction, { id }) {
            if (!(await takeTime(transaction, due, { next_at, last_run_id: id, last_error: null })))
              throw new Taken()
          },
        },
      )
    } catch (error) {
      if (error instanceof Taken) return
      if (!(error instanceof Fault)) throw error
      const isTaken = await takeTime(db, due, { next_at, last_error: error.message })
      if (isTaken) await tellStopped(deps, due, `It could not start: ${error.message}`)
    }
  }

  /** Why it must not run, or in whose name it does. */
  async function rightsOf(due: ScheduleRow): Promise<string | { principal: Principal; group: Membership }> {
    const principal = due.runs_as === null ? undefined : await deps.person(due.runs_as)
    const group = principal?.groups.find(({ id }) => id === due.group_id)
    if (!principal || !group) return `${due.runs_as_name} is no longer in the group.`
    if (scopesIn(principal, group).has('agents')) return { principal, group }
    return `${due.runs_as_name} may no longer ask agents.`
  }

  /** Switched off until somebody who may ask the agent switches it on. */
  async function stop(due: ScheduleRow, why: string): Promise<void> {
    const isTaken = await takeTime(db, due, { next_at: null, enabled: false, last_error: why })
    if (isTaken) await tellStopped(deps, due, `${why} It is switched off.`)
  }

  return async (): Promise<void> => {
    for (const due of await listDue(db)) await start(due)
  }
}

/** After its time and after now, whichever clock is ahead. Null: there is none any more. */
function nextAfter({ cron, time_zone, next_at }: ScheduleRow): Date | null {
  try {
    return nextTime(cron, time_zone, new Date(Math.max(Date.now(), next_at?.getTime() ?? 0)))
  } catch {
    return null
  }
}
