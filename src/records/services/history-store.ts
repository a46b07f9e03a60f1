import { sql } from 'kysely'
import { cutPage, readNumber } from '#kernel/paging'
import { within, type Db, type Page, type Stored } from '../record-store.ts'
import type { HealthCheck, HealthRollup, MaintenanceWindow } from '../shapes/services.ts'

interface TimeQuery {
  limit: number
  cursor?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export interface CheckRow extends Omit<HealthCheck, 'at'> {
  at: Date
}

interface RollupRow extends Omit<HealthRollup, 'at' | 'average_latency_ms' | 'max_latency_ms'> {
  at: Date
  latency_count: number
  latency_sum_ms: string
  latency_max_ms: number | null
}

export async function listChecks(db: Db, serviceId: string, query: TimeQuery): Promise<Page<CheckRow>> {
  const { rows } = await sql<CheckRow>`
    select at, ok, in_maintenance, status_code, latency_ms, error from records.health_checks
    where ${conditions(serviceId, query)} order by at desc limit ${query.limit + 1}`.execute(db)
  return pageOf(rows, query.limit)
}

export async function listRollups(
  db: Db,
  serviceId: string,
  query: TimeQuery & { resolution: string },
): Promise<Page<HealthRollup>> {
  const { rows } = await sql<RollupRow>`
    select at, ok_count, failed_count, maintenance_count, latency_count, latency_sum_ms, latency_max_ms
    from records.health_rollups where resolution = ${query.resolution} and ${conditions(serviceId, query)}
    order by at desc limit ${query.limit + 1}`.execute(db)
  const page = pageOf(rows, query.limit)
  return { ...page, rows: page.rows.map(toRollup) }
}

function toRollup({ at, latency_count, latency_sum_ms, latency_max_ms, ...counts }: RollupRow): HealthRollup {
  return {
    at: at.toISOString(),
    ...counts,
    average_latency_ms: latency_count === 0 ? null : Number(latency_sum_ms) / latency_count,
    max_latency_ms: latency_max_ms,
  }
}

function conditions(serviceId: string, { cursor, ...times }: TimeQuery) {
  const all = [
    sql`service_id = ${serviceId}`,
    ...within('at', times),
    cursor === undefined ? undefined : sql`at < ${new Date(Number(readNumber(cursor)))}`,
  ]
  return sql.join(
    all.filter((condition) => condition !== undefined),
    sql` and `,
  )
}

/** These lists have one row per time, in milliseconds: the cursor is the time. */
function pageOf<Row extends { at: Date }>(rows: readonly Row[], limit: number): Page<Row> {
  const { data, next_cursor } = cutPage(rows, limit, ({ at }) => String(at.getTime()))
  return { rows: data, nextCursor: next_cursor }
}

export type WindowRow = Stored<MaintenanceWindow> & { group_id: string }

export const windowTable = {
  name: 'records.maintenance_windows',
  columns: ['id', 'group_id', 'service_id', 'starts_at', 'ends_at', 'note', 'created_at'],
  sortBy: 'created_at',
}
