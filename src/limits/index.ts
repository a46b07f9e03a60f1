import type { Limits } from '#gateway'
import type { Part } from '#kernel/part'
import { Accounts } from './accounts.ts'
import type { LimitsDeps } from './deps.ts'
import { KnownLimits } from './known-limits.ts'
import { createLedger } from './ledger.ts'
import { createLimitMetrics } from './limit-metrics.ts'
import type { KnownLimit } from './limit.ts'
import type { Db } from './limit-store.ts'
import { createManage, type Manage } from './manage.ts'
import { nameOf } from './refusal.ts'
import { Reservations } from './reservations.ts'
import { limitRoutes } from './routes.ts'
import { whoseName } from './subject.ts'
import { tryLimit } from './try-limit.ts'
import { written, type Units } from './units.ts'

export {
  createAlerts,
  lastBackups,
  noteBackup,
  type AlertDeps,
  type AlertsPart,
  type BackupFacts,
  type LimitUse,
  type NearEnd,
} from './alerts/index.ts'
export type { LimitsDeps } from './deps.ts'

export interface LimitsPart extends Part {
  /** What the gateway asks before each call. */
  limits: Limits
  /** What is used of a limit of a group. */
  use: Manage['use']
  /** Those of a group of which most is used. */
  nearEnd: Manage['nearEnd']
}

const sweepMs = 10_000
/** A request that needs a share waits for these connections only. */
const connections = { max: 3, silentMs: 5_000, statementMs: 5_000 }

/**
 * Limits and budgets that concurrent requests cannot pass together, in any number of processes.
 *
 * @example
 * const limits = createLimits({ ...kernel, usage, access, resolveProvider, maxOutput })
 * const gateway = createGateway({ ...kernel, limits: limits.limits })
 */
export function createLimits(deps: LimitsDeps): LimitsPart {
  const { database, events, log } = deps
  const db: Db = database.tables()
  const known = new KnownLimits(db, deps.access)
  const ledger = createLedger(deps)
  const accounts = new Accounts({
    pool: database.openPool(connections).pool,
    ledger,
    caughtUp: deps.usage.caughtUp,
    log,
    limitOf: (id) => known.get(id),
    onReached: (limit, _span, used) => void announce(limit, used),
  })
  const { tokenPrice } = deps.usage
  const { maxOutput } = deps
  const refused = createLimitMetrics(deps.metrics, () => accounts)
  const reservations = new Reservations({ groups: known.groups, accounts, tokenPrice, maxOutput, refused })
  const manage = createManage({ ...deps, db, accounts, reload })
  let stopListening: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined

  async function announce(limit: KnownLimit, used: Units): Promise<void> {
    const whose = await whoseName(database, limit).catch(() => undefined)
    events.emit('activity', {
      groupId: limit.groupId,
      by: null,
      type: 'config',
      severity: 'warning',
      service: null,
      source: 'platform',
      title: `Limit reached: ${nameOf(limit, whose)}`,
      message: `${written(limit.metric, used)} of ${written(limit.metric, limit.amount)} used.`,
      metadata: { limit_id: limit.id, metric: limit.metric, action: limit.action },
    })
  }

  /** Without limits nobody listens to requests, and nothing is asked of the database. */
  async function reload(): Promise<void> {
    await known.reload()
    accounts.renew((id) => known.get(id))
    if (known.isEmpty || stopListening) return
    stopListening = events.on('request.settled', (event) => reservations.settle(event))
    accounts.start()
    timer = setInterval(() => reservations.sweep(Date.now()), sweepMs).unref()
  }

  return {
    name: 'limits',
    limits: reservations,
    use: manage.use,
    nearEnd: manage.nearEnd,
    routes(app) {
      limitRoutes(app, { manage, tryLimit: (draft) => tryLimit(draft, { ledger, usage: deps.usage }) })
    },
    async start() {
      await database.listener.on('limits_changed', reload, reload)
      await database.listener.on('access_changed', (table) => table === 'groups' && reload())
      await database.listener.on('limits_wanted', (limitId) => accounts.giveBack(limitId))
      await reload()
    },
    async stop() {
      clearInterval(timer)
      stopListening?.()
      await accounts.stop()
    },
  }
}
