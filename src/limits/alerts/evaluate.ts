import { randomUUID } from 'node:crypto'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { AlertRow } from './alert-store.ts'
import {
  endFiring,
  insertFirings,
  knownThings,
  lockAlert,
  openFirings,
  type FiringRow,
} from './firing-store.ts'
import type { Db, Finding, Kind, Sources } from './kind.ts'
import { kinds } from './kinds/index.ts'
import { createTelling, type Notifier } from './tell.ts'
import { duration } from './words.ts'

export interface EvaluateDeps {
  db: Db
  events: Events
  log: Log
  sources: Sources
  notifications: Notifier
  now: () => Date
}

/**
 * Compares what an alert finds now with what has fired: new things fire, things that are gone end. Because it looks at
 * the state and not at what happened, an event that was missed is found by the next evaluation, and one that comes
 * twice changes nothing.
 */
export function createEvaluate({ db, events, log, sources, notifications, now }: EvaluateDeps) {
  const tell = createTelling({ db, events, notifications, now })

  async function find(alert: AlertRow, open: ReadonlySet<string>): Promise<Finding[]> {
    const { group_id: groupId, active_since: since } = alert
    const question = { db, groupId, since, open, sources, now: now() }
    return kinds[alert.kind].find(question, alert.config as never)
  }

  async function evaluate(alert: AlertRow): Promise<void> {
    const open = new Set((await openFirings(db, alert.id)).map(({ thing }) => thing))
    const findings = await find(alert, open)
    const wanted = new Set(findings.map(({ thing }) => thing))
    const hasChanged = findings.some(({ thing }) => !open.has(thing)) || [...open].some((t) => !wanted.has(t))
    if (hasChanged) await apply(alert, findings)
    await tell(alert)
  }

  /** Under the lock of the alert, so that two processes that saw the same thing fire it once. */
  async function apply({ id }: AlertRow, findings: readonly Finding[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const alert = await lockAlert(transaction, id)
      if (!alert?.is_active) return
      const kind = kinds[alert.kind]
      const open = await openFirings(transaction, id)
      const things = findings.map(({ thing }) => thing)
      const known = kind.isOnce ? await knownThings(transaction, id, things) : new Set<string>()
      for (const { thing } of open) known.add(thing)
      const fired = findings.filter(({ thing }) => !known.has(thing))
      await insertFirings(
        transaction,
        id,
        fired.map((finding) => newFiring(alert, kind, finding, now())),
        now(),
      )
      for (const firing of open)
        if (!things.includes(firing.thing))
          await endFiring(transaction, firing.id, endOf(firing, kind, now()))
    })
  }

  let last: Promise<void> = Promise.resolve()
  /** One alert at a time in a process: sending takes a second connection, and all could be taken by those that wait. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    /** One alert that cannot be evaluated does not keep the others from it. */
    async all(alerts: readonly AlertRow[]): Promise<void> {
      for (const alert of alerts)
        await inTurn(() => evaluate(alert)).catch((error: unknown) =>
          log.warn({ err: error, alert_id: alert.id, kind: alert.kind }, 'an alert could not be evaluated'),
        )
    },

    /** Everything that is open ends, because the alert is turned off or deleted. */
    async end(alert: AlertRow): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await lockAlert(transaction, alert.id)
        const kind = kinds[alert.kind]
        for (const firing of await openFirings(transaction, alert.id)) {
          const end = endOf(firing, kind, now())
          await endFiring(transaction, firing.id, {
            ...end,
            end_title: end.end_title && `Alert turned off: ${firing.title}`,
          })
        }
      })
      await inTurn(() => tell(alert))
    },
  }
}

export type Evaluate = ReturnType<typeof createEvaluate>

function newFiring(alert: AlertRow, kind: Kind<never>, finding: Finding, at: Date): FiringRow {
  const isOver = kind.ends === 'at once'
  return {
    ...finding,
    id: randomUUID(),
    alert_id: alert.id,
    group_id: alert.group_id,
    fired_at: at,
    ended_at: isOver ? at : null,
    end_title: null,
    end_text: null,
    told_at: null,
    end_told_at: isOver ? at : null,
  }
}

function endOf(firing: FiringRow, kind: Kind<never>, at: Date) {
  // Clocks of two replicas may differ.
  const ended_at = at < firing.fired_at ? firing.fired_at : at
  if (kind.ends === 'silently') return { ended_at, end_title: null, end_text: null, end_told_at: ended_at }
  const lasted = duration(ended_at.getTime() - firing.fired_at.getTime())
  return {
    ended_at,
    end_title: kind.over?.(firing) ?? `Over: ${firing.title}`,
    end_text: `It lasted ${lasted}. It began with: ${firing.title}`,
    end_told_at: null,
  }
}
