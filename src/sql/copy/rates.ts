import type { Client } from 'pg'

/** Bytes of a table per millisecond. */
export interface Rates {
  rewrite: number
  scan: number
  index: number
}

/** Measures how fast this server rewrites, reads and indexes a table of 10 MB, which is rolled back. */
export async function measureRates(client: Client): Promise<Rates> {
  await client.query('begin')
  try {
    await client.query('create table signalbox_rates (id int, filler text)')
    await client.query(
      `insert into signalbox_rates select g, repeat('x', 200) from generate_series(1, 40000) g`,
    )
    const { rows } = await client.query<{ bytes: number }>(
      `select pg_table_size('signalbox_rates')::float8 as bytes`,
    )
    const bytes = rows[0]?.bytes ?? 0
    const rate = async (sql: string): Promise<number> => {
      const started = performance.now()
      await client.query(sql)
      return bytes / Math.max(0.1, performance.now() - started)
    }
    return {
      scan: await rate('select count(filler) from signalbox_rates'),
      index: await rate('create index on signalbox_rates (id)'),
      rewrite: await rate('alter table signalbox_rates alter column id type bigint'),
    }
  } finally {
    await client.query('rollback')
  }
}
