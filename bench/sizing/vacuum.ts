import type pg from 'pg'
import type { Product } from '../usage-scale/product.ts'
import { addGroup } from '../console/lanes.ts'
import { addChecks, addServices, bytesOf, minutesOfWeek } from './disk.ts'

export interface Look {
  when: string
  rows: number
  dead: number
  megabytes: number
  /** Of what was done last. */
  seconds: number
}

const table = 'records.health_checks'
const rowsAtOnce = 250_000

/**
 * The largest table whose old rows are deleted one by one: a week of checks, then two days in which each hour is added
 * and the oldest deleted, as the product does, with autovacuum as PostgreSQL has it.
 */
export async function watchVacuum(product: Product, rows: number): Promise<Look[]> {
  const { pool } = product.database
  const looks: Look[] = []
  const services = Math.ceil(rows / minutesOfWeek)
  const look = async (when: string, work: () => Promise<unknown>): Promise<void> => {
    const started = performance.now()
    await work()
    const seconds = (performance.now() - started) / 1_000
    const bytes = await bytesOf(pool, [table])
    const { rows: found } = await pool.query<{ live: number; dead: number }>(
      `select n_live_tup::float8 as live, n_dead_tup::float8 as dead from pg_stat_all_tables
       where relid = '${table}'::regclass`,
    )
    const megabytes = (bytes.table + bytes.indexes) / 1_000_000
    looks.push({ when, rows: found[0]?.live ?? 0, dead: found[0]?.dead ?? 0, megabytes, seconds })
    console.error(JSON.stringify(looks.at(-1)))
  }
  await pool.query(`truncate ${table}`)
  await pool.query(`delete from records.services where name like 'sizing-%'`)
  await addServices(pool, await addGroup(product, 7), services)
  await look('a week is there', () => fill(pool, services))
  for (const day of [1, 2]) await look(`day ${day} of changes`, () => passDay(pool, day))
  await look('VACUUM', () => pool.query(`vacuum ${table}`))
  await look('day 3 of changes', () => passDay(pool, 3))
  await look('VACUUM', () => pool.query(`vacuum ${table}`))
  return looks
}

async function fill(pool: pg.Pool, services: number): Promise<void> {
  const step = Math.max(1, Math.floor(rowsAtOnce / services))
  for (let minute = 0; minute < minutesOfWeek; minute += step)
    await addChecks(pool, minute, Math.min(minutesOfWeek, minute + step))
  await pool.query(`analyze ${table}`)
}

async function passDay(pool: pg.Pool, day: number): Promise<void> {
  for (let hour = (day - 1) * 24; hour < day * 24; hour++) {
    await addChecks(pool, minutesOfWeek + hour * 60, minutesOfWeek + (hour + 1) * 60)
    await pool.query(
      `delete from ${table} where at < date_trunc('hour', now()) - interval '7 days' + $1 * interval '1 hour'`,
      [hour + 1],
    )
  }
}
