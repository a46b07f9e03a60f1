import type pg from 'pg'

/** One row of text that changes whenever something in the server does; read by a superuser. */
export async function readServerState(client: pg.Client): Promise<Record<string, string>> {
  const state: Record<string, string> = {}
  for (const [name, query] of Object.entries({ ...(await tableQueries(client)), ...serverQueries })) {
    state[name] = await hashOf(client, query)
  }
  return state
}

/** A table that cannot be read has its error as its state. */
async function hashOf(client: pg.Client, query: string): Promise<string> {
  const hash = `select md5(string_agg(t::text, E'\\n' order by t::text)) as hash from (${query}) t`
  return client.query<{ hash: string | null }>(hash).then(
    ({ rows }) => rows[0]?.hash ?? 'empty',
    (error: unknown) => String(error),
  )
}

/** What one session holds that a later user of it would meet; to be asked in that session. */
export const sessionStateQuery = `select jsonb_build_object(
  'settings', (select jsonb_object_agg(name, setting) from pg_settings
    where source = 'session' and name !~ '^transaction_'),
  'user', session_user || ' ' || current_user,
  'statements', (select count(*) from pg_prepared_statements where name <> ''),
  'cursors', (select count(*) from pg_cursors where name <> ''),
  'channels', (select count(*) from pg_listening_channels()),
  'locks', (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'),
  'temporary', pg_my_temp_schema()::text)::text as state`

/** The rows of every table outside the catalogs, and where every sequence stands. */
async function tableQueries(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm', 'S') and c.relispopulated and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`)
  return Object.fromEntries(rows.map(({ name }) => [name, `select * from ${name}`]))
}

const catalogs =
  `pg_namespace pg_proc pg_type pg_attribute pg_attrdef pg_constraint pg_index pg_trigger pg_rewrite
  pg_policy pg_operator pg_opclass pg_opfamily pg_amop pg_amproc pg_cast pg_collation pg_conversion pg_aggregate
  pg_language pg_extension pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_user_mapping
  pg_event_trigger pg_publication pg_publication_rel pg_publication_namespace pg_subscription pg_ts_config
  pg_ts_dict pg_ts_parser pg_ts_template pg_ts_config_map pg_enum pg_range pg_sequence pg_inherits
  pg_partitioned_table pg_description pg_shdescription pg_seclabel pg_default_acl pg_init_privs pg_transform
  pg_statistic_ext pg_am pg_tablespace pg_parameter_acl
  pg_largeobject pg_largeobject_metadata pg_replication_origin pg_replication_slots pg_prepared_xacts`
    .trim()
    .split(/\s+/)

/** Databases and roles belong to the whole server, which test files that run at the same time share. */
const ofOtherTests = '_[0-9a-f]{32}'

const serverQueries: Record<string, string> = {
  ...Object.fromEntries(catalogs.map((name) => [name, `select * from pg_catalog.${name}`])),
  // Without what VACUUM and ANALYZE, which PostgreSQL starts itself, keep there.
  pg_class: `select oid, relname, relnamespace, reltype, relowner, relfilenode, reltablespace, relhasindex, relkind,
    relnatts, relchecks, relrowsecurity, relforcerowsecurity, relacl, reloptions, relpersistence from pg_class`,
  pg_database: `select oid, datname, datdba, datistemplate, datallowconn, datconnlimit, datacl from pg_database
    where datname = current_database() or datname !~ '${ofOtherTests}'`,
  roles: `select * from pg_roles where rolname !~ '${ofOtherTests}'`,
  pg_file_settings: 'select * from pg_file_settings',
  dataFiles: `select * from pg_ls_dir('.') as name where name !~ '^postmaster|^current_logfiles'`,
  settings: `select name, setting from pg_settings where name !~ '^transaction_'`,
}
