import { serialized } from '#kernel/db'
import type { Activity, Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import { activeAlerts, readWanted } from './alert-store.ts'
import type { Evaluate } from './evaluate.ts'
import type { Db } from './kind.ts'
import type { AlertKind } from './shapes.ts'

export interface WatchDeps {
  db: Db
  events: Events
  evaluate: Evaluate
  log: Log
}

/** How long after an event the tables show it. Rows of requests are copied in batches. */
const soonMs = 100
const afterCopyMs = 2_000
/** Requests may come by the thousand; alerts are evaluated at most this often for them. */
const betweenMs = 15_000

/**
 * Evaluates alerts when something happens in this process that concerns them. What happens is not trusted to be seen:
 * a job evaluates all alerts every minute. Without alerts nothing is listened to that is frequent.
 */
export function createWatch({ db, events, evaluate, log }: WatchDeps) {
  let wanted = new Map<string, Set<AlertKind>>()
  const waiting = new Map<string, NodeJS.Timeout>()
  const lastRun = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const stops: (() => void)[] = []
  let stopRequests: (() => void) | undefined

  function wake(groupId: string | null, kinds: readonly AlertKind[], delayMs = soonMs): void {
    for (const kind of kinds) {
      if (groupId === null || !wanted.get(groupId)?.has(kind)) continue
      const name = `${groupId} ${kind}`
      if (waiting.has(name)) continue
      const gap = delayMs === soonMs ? 0 : (lastRun.get(name) ?? 0) + betweenMs - Date.now()
      const timer = setTimeout(
        () => {
          waiting.delete(name)
          lastRun.set(name, Date.now())
          const run = evaluateNow(groupId, kind).finally(() => running.delete(run))
          running.add(run)
        },
        Math.max(delayMs, gap),
      )
      waiting.set(name, timer.unref())
    }
  }

  async function evaluateNow(groupId: string, kind: AlertKind): Promise<void> {
    try {
      await evaluate.all(await activeAlerts(db, { groupId, kinds: [kind] }))
    } catch (error) {
      log.warn({ err: error, kind }, 'alerts could not be evaluated; the next minute does it')
    }
  }

  /** A listener makes every request build an event, so there is one only where an alert needs it. */
  function listenToRequests(): void {
    const isWanted = [...wanted.values()].some((of) => of.has('provider_key') || of.has('unpriced_model'))
    if (!isWanted) {
      stopRequests?.()
      stopRequests = undefined
      return
    }
    stopRequests ??= events.on('request.settled', ({ groupId, statusCode, cost }) => {
      // That a key works again is news for the job of the next minute: successes are too frequent to ask after each.
      if (statusCode >= 400) wake(groupId, ['provider_key'], afterCopyMs)
      else if (cost === null) wake(groupId, ['unpriced_model'], afterCopyMs)
    })
  }

  const reload = serialized(async () => {
    const rows = await readWanted(db)
    wanted = new Map(
      [...Map.groupBy(rows, ({ group_id: groupId }) => groupId)].map(([groupId, all]) => [
        groupId,
        new Set(all.map(({ kind }) => kind)),
      ]),
    )
    listenToRequests()
  })

  return {
    reload,
    isWanted: (kind: AlertKind): boolean => [...wanted.values()].some((of) => of.has(kind)),
    /** The group is the first one where something concerns the whole installation. */
    wake,
    start(): void {
      stops.push(
        events.on('activity', (activity) => wake(activity.groupId, kindsFor(activity))),
        events.on('price.changed', ({ groupId }) => wake(groupId, ['unpriced_model'], afterCopyMs)),
        events.on('provider_key.deactivated', ({ groupId }) => wake(groupId, ['provider_key'])),
        events.on('provider_key.deleted', ({ groupId }) => wake(groupId, ['provider_key'])),
      )
    },
    async stop(): Promise<void> {
      for (const stop of stops.splice(0)) stop()
      stopRequests?.()
      stopRequests = undefined
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
      await Promise.all(running)
    },
  }
}

/** Which kinds an activity may concern. Asking in vain costs a query; missing one costs a minute. */
function kindsFor({ type, metadata }: Activity): AlertKind[] {
  if (type === 'system') return []
  if (type === 'deployment') return ['deployment_failed']
  if (type === 'health_check') return ['service_down']
  if ('limit_id' in metadata) return ['budget']
  if ('run_id' in metadata) return ['run_waiting', 'run_failed', 'approval_waiting']
  if ('approval_id' in metadata) return ['approval_waiting', 'run_waiting']
  return []
}
