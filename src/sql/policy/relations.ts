import type { FoundRelation } from '../classify/classification.ts'

/** Hold passwords, connection strings, other people's data, or files of the server. */
const pgCatalog = new Set([
  'pg_authid',
  'pg_shadow',
  'pg_user_mapping',
  'pg_user_mappings',
  'pg_subscription',
  'pg_largeobject',
  'pg_statistic',
  'pg_statistic_ext_data',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_file_settings',
  'pg_config',
  'pg_backend_memory_contexts',
  'pg_foreign_server',
  'pg_foreign_data_wrapper',
  'pg_foreign_table',
])
const informationSchema = new Set(['user_mapping_options', 'foreign_server_options', '_pg_user_mappings'])

/** Without a schema, the catalog is found first. */
export function isSecretCatalog({ schema, name }: FoundRelation): boolean {
  // An extension, in any schema: it shows the statements of all callers.
  if (name === 'pg_stat_statements') return true
  if (schema === 'information_schema') return informationSchema.has(name)
  return (schema === null || schema === 'pg_catalog') && pgCatalog.has(name)
}

const systemSchemas = new Set(['pg_catalog', 'information_schema', 'pg_toast'])

/** Tables and views of PostgreSQL itself. Names that begin with pg_ are found in its catalogs first. */
export function isSystem({ schema, name }: FoundRelation): boolean {
  return schema === null ? name.startsWith('pg_') : systemSchemas.has(schema)
}

/** The list that tells which migrations a database has. */
export const isMigrationList = ({ name }: FoundRelation): boolean => name === 'signalbox_migrations'

/** Shows what runs now: every session of the role, and all callers share it. */
export function isActivity({ schema, name }: FoundRelation): boolean {
  return name === 'pg_stat_activity' && (schema === null || schema === 'pg_catalog')
}
