import type { Config } from '#kernel/config'
import { openDatabase, type Database, type Target } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import { activeAlerts } from './alert-store.ts'
import { createAlertList } from './alerts.ts'
import { attentionSources } from './attention.ts'
import { measureDisk, type MeasuredDisk } from './disk.ts'
import { createEvaluate } from './evaluate.ts'
import { deleteOldFirings } from './firing-store.ts'
import type { Db, NearEnd, Sources } from './kind.ts'
import { readBackups, saveBackup, saveDisk } from './kinds/installation.ts'
import { createRecommend } from './recommend.ts'
import { alertRoutes } from './routes.ts'
import type { Notifier } from './tell.ts'
import { createWatch } from './watch.ts'

export type { LimitUse, NearEnd } from './kind.ts'
export type { AlertNotification, Notifier } from './tell.ts'

export interface AlertDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  notifications: Notifier
  channelIds(groupId: string): Promise<ReadonlySet<string>>
  limitUse: Sources['limitUse']
  hasPrice: Sources['hasPrice']
  /** Limits of which most is used. */
  nearEnd?(groupId: string): Promise<NearEnd[]>
  /** The group that sees what concerns the whole installation. */
  firstGroup(): Promise<string>
  disk?: () => Promise<MeasuredDisk>
  now?: () => Date
}

export interface AlertsPart extends Part {
  /** Evaluates every active alert. The job does it each minute, on one replica. */
  evaluateAll(): Promise<void>
}

const diskEveryMs = 60_000
const keptDays = 90

/**
 * Alerts: rules of a group, evaluated when something happens and every minute, that notify people and the console.
 *
 * @example
 * parts.push(createAlerts({ ...kernel, notifications, channelIds, limitUse, hasPrice, firstGroup }))
 */
export function createAlerts(deps: AlertDeps): AlertsPart {
  const { config, database, events, log, notifications, firstGroup, now = () => new Date() } = deps
  const db: Db = database.tables()
  const disk = deps.disk ?? (() => measureDisk(config.DATA_DIR))
  const sources: Sources = { limitUse: deps.limitUse, hasPrice: deps.hasPrice, disk }
  const evaluate = createEvaluate({ db, events, log, sources, notifications, now })
  const watch = createWatch({ db, events, evaluate, log })
  const { channelIds } = deps
  const alerts = createAlertList({
    db,
    events,
    evaluate,
    sources,
    channelIds,
    firstGroup,
    onChange: watch.reload,
  })
  const recommend = createRecommend({ db, sources, firstGroup, now })
  let timer: NodeJS.Timeout | undefined

  const evaluateAll = async (): Promise<void> => evaluate.all(await activeAlerts(db, undefined))

  /** Every process measures its own disk; the job, which runs in one of them, compares all. */
  async function reportDisk(): Promise<void> {
    if (watch.isWanted('disk')) await saveDisk(db, await disk(), now())
  }

  async function wakeBackups(): Promise<void> {
    watch.wake(await firstGroup(), ['backup_failed'])
  }

  return {
    name: 'alerts',
    attention: attentionSources({ db, sources, nearEnd: deps.nearEnd, now }),
    evaluateAll,
    routes(app) {
      if (config.ROLES.has('platform')) alertRoutes(app, { alerts, recommend })
    },
    jobs(jobs) {
      jobs.define('alerts.evaluate', evaluateAll, { cron: '* * * * *' })
      jobs.define(
        'alerts.delete-old',
        () => deleteOldFirings(db, new Date(Date.now() - keptDays * 86_400_000)),
        {
          cron: '53 3 * * *',
        },
      )
    },
    async start() {
      await database.listener.on('alerts_changed', watch.reload, watch.reload)
      await database.listener.on('alerts_backup', wakeBackups)
      await watch.reload()
      watch.start()
      timer = setInterval(() => {
        reportDisk().catch((error: unknown) => warn(log, error, 'the disk could not be measured'))
      }, diskEveryMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await watch.stop()
    },
  }
}

const warn = (log: Log, error: unknown, text: string): void => log.warn({ reason: messageOf(error) }, text)

/** For the command that makes backups: how it ended, so that an alert can say so. A failure to note it is not another. */
export async function noteBackup(target: Target, log: Log, error: string | null): Promise<void> {
  const database = openDatabase(target, log)
  try {
    await saveBackup(database.tables(), error)
  } catch (failure) {
    log.warn({ reason: messageOf(failure) }, 'the result of the backup could not be noted')
  } finally {
    await database.close()
  }
}

export interface BackupFacts {
  last_good_at: string | null
  /** Null where the last one succeeded. */
  last_failed_at: string | null
}

/** What is known of backups; null where the schema of the database does not record them. */
export async function lastBackups(target: Target, log: Log): Promise<BackupFacts | null> {
  const database = openDatabase(target, log)
  try {
    const { last, lastGood } = await readBackups(database.tables())
    const failed = last && last.error !== null ? last.finished_at : undefined
    return { last_good_at: lastGood?.toISOString() ?? null, last_failed_at: failed?.toISOString() ?? null }
  } catch {
    return null
  } finally {
    await database.close()
  }
}
