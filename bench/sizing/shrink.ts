import type pg from 'pg'
import { bytesOf } from './disk.ts'

export interface Variant {
  what: string
  /** Bytes per event. */
  table: number
  indexes: number
}

const indexes = `
  alter table bench.shrunk add primary key (group_id, id);
  create index on bench.shrunk (group_id, sequence);
  create index on bench.shrunk (group_id, id) where severity >= 4;
  create index on bench.shrunk using gin (words)`

/** How an old day could be stored: each variant is a copy of the events that are there. */
const variants: { what: string; make: string }[] = [
  { what: 'as it is, written once and indexed afterwards', make: `${table('*')};${indexes}` },
  {
    what: 'rows compressed with pglz from 256 bytes on',
    make: `${empty()};
      alter table bench.shrunk set (toast_tuple_target = 256);
      alter table bench.shrunk alter message set compression pglz, alter message set storage main,
        alter metadata set compression pglz, alter metadata set storage main,
        alter words set compression pglz, alter words set storage main;
      insert into bench.shrunk select * from console.events;${indexes}`,
  },
  {
    what: 'BRIN for the sequence in place of btree',
    make: `${table('*')};${indexes.replace('on bench.shrunk (group_id, sequence)', 'on bench.shrunk using brin (sequence)')}`,
  },
  {
    what: 'type, source and service as numbers',
    make: `${table(`id, group_id, sequence, severity, 1::smallint as type, 1::smallint as source,
      1::integer as service, title, message, metadata, words`)};${indexes}`,
  },
  {
    what: 'without search (no words, no index of words)',
    make: `${table('id, group_id, sequence, severity, type, source, service, title, message, metadata')};${indexes.replace(/;\s*create index on bench.shrunk using gin \(words\)/, '')}`,
  },
]

function table(columns: string): string {
  return `create table bench.shrunk as select ${columns} from console.events`
}

function empty(): string {
  return 'create table bench.shrunk (like console.events including defaults)'
}

export async function measureVariants(pool: pg.Pool, events: number): Promise<Variant[]> {
  await pool.query('create schema if not exists bench')
  const found: Variant[] = []
  for (const { what, make } of variants) {
    await pool.query('drop table if exists bench.shrunk')
    await pool.query(make)
    await pool.query('vacuum analyze bench.shrunk')
    const { table: bytes, indexes: ofIndexes } = await bytesOf(pool, ['bench.shrunk'])
    found.push({ what, table: bytes / events, indexes: ofIndexes / events })
  }
  await pool.query('drop table bench.shrunk')
  return found
}

/** Bytes per event of each index, and the mean of each column. */
export async function measureParts(pool: pg.Pool, events: number): Promise<[string, number][]> {
  const columns = ['words', 'message', 'title', 'metadata', 'type', 'source', 'service']
  const { rows: stored } = await pool.query<Record<string, number>>(
    `select ${columns.map((name) => `avg(pg_column_size(${name}))::float8 as ${name}`).join(', ')}
     from console.events`,
  )
  const { rows: ofIndexes } = await pool.query<{ name: string; bytes: number }>(
    `select pg_get_indexdef(i.indexrelid) as name, sum(pg_relation_size(child.relid))::float8 as bytes
     from pg_index i, pg_partition_tree(i.indexrelid) as child where i.indrelid = 'console.events'::regclass
     group by 1 order by 2 desc`,
  )
  return [
    ...columns.map((name): [string, number] => [`column ${name}`, stored[0]?.[name] ?? NaN]),
    ...ofIndexes.map(({ name, bytes }): [string, number] => [
      `index ${/USING .*/.exec(name)?.[0] ?? name}`,
      bytes / events,
    ]),
  ]
}
