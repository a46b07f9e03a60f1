import pg from 'pg'
import { clientConfig, sessionTarget, tablesOfMigrations, type Target } from '#kernel/db'

/** What a command says about a database without changing it: PostgreSQL itself refuses a write. */
export async function readOnly<T>(target: Target, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(clientConfig(sessionTarget(target)))
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(
      `set default_transaction_read_only = on; set statement_timeout = '20s'; set lock_timeout = '2s'`,
    )
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

export interface ServerFacts {
  version: string
  bytes: number
  settings: Record<string, string>
}

const shownSettings = [
  ...['max_connections', 'shared_buffers', 'work_mem', 'maintenance_work_mem', 'effective_cache_size'],
  ...[
    'autovacuum',
    'wal_level',
    'archive_mode',
    'synchronous_commit',
    'statement_timeout',
    'jit',
    'TimeZone',
  ],
]

export async function readServer(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select name, reset_val || coalesce(unit, '') as value from pg_settings where name = any ($1) order by name`,
    [shownSettings],
  )
  const { rows: server } = await client.query<{ version: string; bytes: string }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
  )
  return {
    version: server[0]?.version ?? '',
    bytes: Number(server[0]?.bytes),
    settings: Object.fromEntries(rows.map(({ name, value }) => [name, value])),
  }
}

export interface TableFacts {
  table: string
  partitions: number
  /** An estimate of PostgreSQL's own. */
  rows: number
  bytes: number
  dead_rows: number
  last_vacuum: string | null
}

/** Signalbox's own tables and those of its job queue, a partitioned one with all its parts; the largest first. */
export async function readTables(client: pg.Client): Promise<TableFacts[]> {
  const { rows } = await client.query<Omit<TableFacts, 'last_vacuum'> & { last_vacuum: Date | null }>(
    `with recursive members as (
       select c.oid as root, c.oid as member, n.nspname || '.' || c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition
         and (n.nspname = 'jobs' or n.nspname || '.' || c.relname = any ($1))
       union all
       select members.root, i.inhrelid, members.name from members join pg_inherits i on i.inhparent = members.member
     )
     select members.name as table, (count(*) - 1)::int as partitions,
       sum(case when c.relkind = 'p' then 0 when c.reltuples >= 0 then c.reltuples
         else coalesce(s.n_live_tup, 0) end)::float8 as rows,
       sum(pg_total_relation_size(c.oid))::float8 as bytes,
       coalesce(sum(s.n_dead_tup), 0)::float8 as dead_rows,
       max(greatest(s.last_vacuum, s.last_autovacuum)) as last_vacuum
     from members join pg_class c on c.oid = members.member
       left join pg_stat_all_tables s on s.relid = members.member
     group by members.name order by bytes desc, 1`,
    [tablesOfMigrations()],
  )
  return rows.map((row) => ({ ...row, last_vacuum: row.last_vacuum?.toISOString() ?? null }))
}

export interface ReplicaFacts {
  host: string
  process: number
  version: string
  started_at: string
}

/** The processes that run on this database now; none where its schema does not list them yet. */
export async function readReplicas(client: pg.Client): Promise<ReplicaFacts[]> {
  if (!(await exists(client, 'kernel.replicas'))) return []
  const { rows } = await client.query<Omit<ReplicaFacts, 'started_at'> & { started_at: Date }>(
    `select host, process, version, started_at from kernel.replicas
     where seen_at > now() - interval '60 seconds' order by started_at`,
  )
  return rows.map((row) => ({ ...row, started_at: row.started_at.toISOString() }))
}

export interface ActivityFacts {
  /** Connections by program and state. */
  connections: { application: string; state: string; count: number }[]
  waiting_for_locks: number
  oldest_transaction_seconds: number
}

export async function readActivity(client: pg.Client): Promise<ActivityFacts> {
  const { rows: connections } = await client.query<ActivityFacts['connections'][number]>(
    `select case when application_name like 'signalbox%' then application_name else 'other' end as application,
       coalesce(state, 'background') as state, count(*)::int as count
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() group by 1, 2 order by 1, 2`,
  )
  const { rows } = await client.query<{ waiting: number; oldest: number }>(
    `select count(*) filter (where wait_event_type = 'Lock')::int as waiting,
       coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as oldest
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return {
    connections,
    waiting_for_locks: rows[0]?.waiting ?? 0,
    oldest_transaction_seconds: Math.round(rows[0]?.oldest ?? 0),
  }
}

export interface QueueFacts {
  job: string
  state: string
  count: number
  oldest: string
}

export async function readQueues(client: pg.Client): Promise<QueueFacts[]> {
  if (!(await exists(client, 'jobs.job'))) return []
  const { rows } = await client.query<Omit<QueueFacts, 'oldest'> & { oldest: Date }>(
    `select name as job, state::text as state, count(*)::int as count, min(created_on) as oldest
     from jobs.job group by 1, 2 order by 1, 2`,
  )
  return rows.map((row) => ({ ...row, oldest: row.oldest.toISOString() }))
}

export interface RightsFacts {
  may_create_schemas: boolean
  /** Signalbox's tables that belong to a role which this user is not a member of: it could not change them. */
  not_owned: string[]
  /** Left behind by an interrupted `create index concurrently`. */
  invalid_indexes: string[]
}

export async function readRights(client: pg.Client): Promise<RightsFacts> {
  const { rows } = await client.query<{ may: boolean; tables: string[]; indexes: string[] }>(
    `select has_database_privilege(current_database(), 'create') as may,
       array(select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname || '.' || c.relname = any ($1) and not pg_has_role(c.relowner, 'usage') order by 1) as tables,
       array(select n.nspname || '.' || c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
         join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         where not i.indisvalid and n.nspname || '.' || t.relname = any ($1) order by 1) as indexes`,
    [tablesOfMigrations()],
  )
  const { may = false, tables = [], indexes = [] } = rows[0] ?? {}
  return { may_create_schemas: may, not_owned: tables, invalid_indexes: indexes }
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    table,
  ])
  return rows[0]?.found === true
}
