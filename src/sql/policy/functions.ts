import type { FunctionFacts } from './policy.ts'

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Volatile, and harmless: they read the clock, chance, sizes or the state of the server. */
export const harmlessFunctions = list(`
  random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 array_sample array_shuffle
  currval lastval current_query
  pg_relation_size pg_table_size pg_indexes_size pg_total_relation_size pg_database_size pg_tablespace_size
  pg_is_in_recovery pg_is_wal_replay_paused pg_current_wal_lsn pg_current_wal_insert_lsn pg_current_wal_flush_lsn
  pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp
  pg_partition_tree pg_partition_ancestors pg_sequence_last_value pg_blocking_pids pg_lock_status
  pg_xact_status txid_status pg_xact_commit_timestamp pg_collation_actual_version pg_jit_available
  pg_stat_get_io pg_stat_have_stats amvalidate
  uuid_generate_v1 uuid_generate_v1mc uuid_generate_v4 gen_random_bytes gen_salt`)

/** Reach files, programs, the network or other sessions, change the session, or run text as SQL: never allowed. */
const forbiddenFunctions = list(`
  pg_read_file pg_read_binary_file pg_stat_file pg_current_logfile pg_file_write pg_file_sync pg_file_rename
  pg_file_unlink pg_logdir_ls lo_import lo_export pg_hba_file_rules pg_ident_file_mappings
  pg_show_all_file_settings pg_config pg_get_loaded_modules pg_import_system_collations
  pg_notify pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote
  pg_log_backend_memory_contexts pg_get_backend_memory_contexts pg_export_snapshot pg_switch_wal
  pg_create_restore_point pg_backup_start pg_backup_stop pg_log_standby_snapshot pg_sync_replication_slots
  pg_drop_replication_slot pg_create_physical_replication_slot pg_create_logical_replication_slot
  pg_copy_physical_replication_slot pg_copy_logical_replication_slot pg_prewarm autoprewarm_start_worker
  set_config setseed pg_nextoid pg_stop_making_pinned_objects pg_extension_config_dump
  pg_stat_get_activity pg_stat_get_backend_activity pg_stat_statements
  ts_stat ts_rewrite connectby xpath_table cursor_to_xml cursor_to_xmlschema
  http pg_background_launch`)

/** Families that are forbidden as a whole. */
const forbiddenFamilies =
  /^(pg_ls_|pg_sleep|pg_advisory_|pg_try_advisory_|pg_logical_|pg_replication_|pg_stat_reset|pg_stat_clear|pg_stat_force|pg_wal_replay_|pg_wal_summary|pg_restore_|pg_clear_|binary_upgrade_|dblink|postgres_fdw_|crosstab|http_|pg_walinspect|get_raw_page|(query|table|schema|database)_to_xml)/

export function isForbidden(name: string): boolean {
  return forbiddenFunctions.has(name) || forbiddenFamilies.test(name)
}

/** The policy names a function with its schema, or in any schema. */
export function isListed(facts: FunctionFacts, allowed: readonly string[]): boolean {
  return allowed.includes(facts.name) || allowed.includes(`${facts.schema}.${facts.name}`)
}

export function isHarmless({ schema, name, language }: FunctionFacts): boolean {
  // A function of the same name in another schema may be anything; those of extensions are written in C.
  return harmlessFunctions.has(name) && (schema === 'pg_catalog' || language === 'c')
}

/** Code of users: its label says little about what it does. Functions of extensions are compiled. */
export function isUserCode({ schema, language }: FunctionFacts): boolean {
  return schema !== 'pg_catalog' && language !== 'c' && language !== 'internal'
}
