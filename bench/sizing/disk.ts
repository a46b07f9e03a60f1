import type pg from 'pg'
import type { Product } from '../usage-scale/product.ts'
import { describeWorld, fillLog, findWorld, sumUp } from '../usage-scale/fill.ts'
import { importSessions } from '../transcripts/import.ts'
import { addGroup } from '../console/lanes.ts'
import { ingest } from '../console/ingest.ts'

export interface Size {
  what: string
  rows: number
  /** Bytes per row: the table with what is stored beside it, and its indexes. */
  table: number
  indexes: number
  /** What is kept beside the rows, such as sums: bytes per row. */
  beside: number
  rowsBeside: number
}

interface Kind {
  what: string
  main: string
  beside: string[]
  fill(product: Product, requests: number): Promise<number>
}

const kinds: Kind[] = [
  {
    what: 'console events',
    main: 'console.events',
    beside: ['console.minutes', 'console.hours'],
    fill: async (product) => (await ingest(product, 100_000, () => undefined)).events,
  },
  {
    what: 'usage rows (requests)',
    main: 'usage.usage_logs',
    beside: ['usage.hourly', 'usage.daily', 'usage.monthly', 'usage.daily_parts'],
    fill: fillUsage,
  },
  {
    what: 'results of health checks',
    main: 'records.health_checks',
    beside: ['records.health_rollups'],
    fill: (product) => fillChecks(product, 200_000),
  },
  {
    what: 'transcript messages',
    main: 'transcripts.messages',
    beside: [
      ...['sessions', 'chunks', 'index_parts', 'index_lists', 'usage', 'sources', 'session_sources'].map(
        (name) => `transcripts.${name}`,
      ),
    ],
    fill: (product) => fillTranscripts(product, 20_000),
  },
]

export async function measureDisk(product: Product, requests: number, only: string): Promise<Size[]> {
  const { pool } = product.database
  const sizes: Size[] = []
  for (const { what, main, beside, fill } of kinds.filter((kind) => kind.what.includes(only))) {
    const rows = await fill(product, requests)
    await pool.query(`vacuum analyze ${main}`)
    const own = await bytesOf(pool, [main])
    const others = await bytesOf(pool, beside)
    sizes.push({
      what,
      rows,
      table: own.table / rows,
      indexes: own.indexes / rows,
      beside: (others.table + others.indexes) / rows,
      rowsBeside: await countRows(pool, beside),
    })
    console.error(`${what}: ${JSON.stringify(sizes.at(-1))}`)
  }
  return sizes
}

async function countRows(pool: pg.Pool, tables: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    tables.map((table) => pool.query<{ count: number }>(`select count(*)::float8 as count from ${table}`)),
  )
  return counts.reduce((sum, { rows }) => sum + (rows[0]?.count ?? 0), 0)
}

export async function bytesOf(
  pool: pg.Pool,
  tables: readonly string[],
): Promise<{ table: number; indexes: number }> {
  const { rows } = await pool.query<{ table: number; indexes: number }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::float8 as "table",
       coalesce(sum(pg_indexes_size(oid)), 0)::float8 as indexes
     from pg_class, unnest($1::text[]) as given (name)
     where oid = name::regclass or oid in (select relid from pg_partition_tree(name::regclass))`,
    [tables],
  )
  return rows[0] ?? { table: NaN, indexes: NaN }
}

async function fillUsage(product: Product, rows: number): Promise<number> {
  const { pool } = product.database
  const groups: string[] = []
  for (let at = 0; at < 5; at++) groups.push(await addGroup(product, at))
  await describeWorld(pool, groups)
  await fillLog(pool, await findWorld(pool), rows, () => undefined)
  await sumUp(pool)
  return rows
}

async function fillChecks(product: Product, rows: number): Promise<number> {
  const { pool } = product.database
  const services = Math.ceil(rows / minutesOfWeek)
  await addServices(pool, await addGroup(product, 9), services)
  await addChecks(pool, 0, minutesOfWeek)
  return services * minutesOfWeek
}

export const minutesOfWeek = 7 * 24 * 60

export async function addServices(pool: pg.Pool, groupId: string, count: number): Promise<void> {
  await pool.query(
    `insert into records.services (id, group_id, name, title, interval_s, timeout_ms, expect_status, failures_to_open,
       passes_to_close, allow_private, is_public, is_paused)
     select gen_random_uuid(), $1, 'sizing-' || n, 'Service ' || n, 60, 5000, 200, 3, 2, false, false, true
     from generate_series(1, $2::int) as n`,
    [groupId, count],
  )
}

/** A check of every service each minute, in the order in which they come; minutes count from a week ago. */
export async function addChecks(pool: pg.Pool, from: number, to: number): Promise<void> {
  const client = await pool.connect()
  // Every row would otherwise look for its service.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into records.health_checks (service_id, at, ok, in_maintenance, status_code, latency_ms, error)
     select id, date_trunc('hour', now()) - interval '7 days' + minute * interval '1 minute' + n * interval '1 ms',
       luck < 0.99, false, case when luck < 0.99 then 200 else 503 end, (luck * 400)::int,
       case when luck >= 0.99 then 'The response had the status 503' end
     from generate_series($1::int, $2::int - 1) as minute, lateral (
       select id, row_number() over () as n, random() as luck from records.services
       where name like 'sizing-%' and minute >= 0
     ) as s`,
    [from, to],
  )
  await client.query('reset session_replication_role')
  client.release()
}

async function fillTranscripts(product: Product, messages: number): Promise<number> {
  const groupId = await addGroup(product, 8)
  const imported = await importSessions({ ...product, groupId } as never, messages, () => undefined)
  return imported.messages
}
