import { randomUUID } from 'node:crypto'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { duration, short } from '../words.ts'

const hourMs = 3_600_000
const minuteMs = 60_000

/** A backup that failed, or none for too long. It is over with the next one that succeeds. */
export const backupFailed: Kind<ConfigOf<'backup_failed'>> = {
  severity: 'error',
  isOnce: false,
  ends: 'with a message',
  isOfInstallation: true,
  async find({ db, now, since }, { max_age_hours: maxHours }): Promise<Finding[]> {
    const { last, lastGood } = await readBackups(db)
    const path = '/console?type=system'
    if (last?.error)
      return [
        {
          thing: 'backup',
          title: `Backup failed: ${short(last.error)}`,
          text: 'Run `signalbox backup` by hand to see why; the last good backup gets older.',
          path,
          data: { failed_at: last.finished_at.toISOString(), last_good_at: lastGood?.toISOString() ?? null },
        },
      ]
    const reference = lastGood ?? since
    const age = now.getTime() - reference.getTime()
    if (maxHours === null || age < maxHours * hourMs) return []
    return [
      {
        thing: 'backup',
        title: lastGood ? `The last backup is ${duration(age)} old` : `No backup for ${duration(age)}`,
        text: 'Check the job that runs `signalbox backup`.',
        path,
        data: { last_good_at: lastGood?.toISOString() ?? null, max_age_hours: maxHours },
      },
    ]
  },
  over: () => 'A backup succeeded again',
}

/** How the last one ended, and when the last good one did. */
export async function readBackups(db: Db) {
  const newest = db.selectFrom('alerts.backups').orderBy('finished_at', 'desc').orderBy('id', 'desc').limit(1)
  const last = await newest.select(['finished_at', 'error']).executeTakeFirst()
  const good = last && (await newest.select('finished_at').where('error', 'is', null).executeTakeFirst())
  return { last, lastGood: good?.finished_at }
}

const keptBackups = 100

/** How a backup ended; the command reports it. `error` null: it succeeded. */
export async function saveBackup(db: Db, error: string | null): Promise<void> {
  await db
    .insertInto('alerts.backups')
    .values({ id: randomUUID(), finished_at: new Date(), error: error === null ? null : short(error, 500) })
    .execute()
  const newest = db
    .selectFrom('alerts.backups')
    .select('id')
    .orderBy('finished_at', 'desc')
    .limit(keptBackups)
  await db.deleteFrom('alerts.backups').where('id', 'not in', newest).execute()
}

/** A server that has ended measures nothing any more. */
const measuredWithinMs = 5 * minuteMs
/** So that a disk at the mark does not fire every minute. */
const morePercent = 2

/** Little space where a server keeps its data. */
export const disk: Kind<ConfigOf<'disk'>> = {
  severity: 'critical',
  isOnce: false,
  ends: 'with a message',
  isOfInstallation: true,
  async find({ db, now, open, sources }, { min_free_percent: least }): Promise<Finding[]> {
    await saveDisk(db, await sources.disk(), now)
    const disks = await readDisks(db, new Date(now.getTime() - measuredWithinMs))
    return disks.flatMap(({ host, free_bytes: free, total_bytes: total }) => {
      const thing = `disk:${host}`
      const percent = Number(total) === 0 ? 100 : (100 * Number(free)) / Number(total)
      if (percent >= least + (open.has(thing) ? morePercent : 0)) return []
      return [
        {
          thing,
          title: `Disk of ${host} is nearly full: ${Math.floor(percent)} % free, ${gibibytes(Number(free))}`,
          text: 'Requests are refused once the usage journal cannot be written. Make room, or shorten what is kept.',
          path: '/console?type=system',
          data: { host, free_bytes: Number(free), total_bytes: Number(total) },
        },
      ]
    })
  },
  over: ({ data }) => `Disk of ${String(data['host'])} has room again`,
}

const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

export async function saveDisk(
  db: Db,
  { host, freeBytes, totalBytes }: { host: string; freeBytes: number; totalBytes: number },
  now: Date,
): Promise<void> {
  const measured = { free_bytes: freeBytes, total_bytes: totalBytes, measured_at: now }
  await db
    .insertInto('alerts.disks')
    .values({ host, ...measured })
    .onConflict((conflict) => conflict.column('host').doUpdateSet(measured))
    .execute()
}

async function readDisks(db: Db, since: Date) {
  return db
    .selectFrom('alerts.disks')
    .select(['host', 'free_bytes', 'total_bytes'])
    .where('measured_at', '>=', since)
    .orderBy('host')
    .execute()
}
