import { escapeIdentifier } from 'pg'
import type { Runner } from '../run/runner.ts'
import type { MigrationRow } from './migration-store.ts'

export interface WayBack {
  statements: string[]
  /** Nobody gave it: it drops what the migration created. */
  isDerived: boolean
  mustBeEmpty: string[]
}

const noneGiven =
  'No way back was given with this migration (rollback), and none can be derived from what it did.'

/** How a migration is taken back, or why it cannot be. */
export async function wayBackOf(runner: Runner, row: MigrationRow): Promise<WayBack | { reason: string }> {
  if (row.state !== 'applied') return { reason: 'Only a migration that is applied can be rolled back.' }
  if (row.rollback !== null && row.rollback.length > 0)
    return { statements: row.rollback, isDerived: false, mustBeEmpty: [] }
  return (await derived(runner, row)) ?? { reason: noneGiven }
}

const derivable = new Set(['CREATE TABLE', 'CREATE INDEX'])

/**
 * Only for what created tables and indexes and did nothing else, by what was seen when it ran. All of it must still be
 * there; tables must still be empty, which is looked at when they are dropped.
 */
async function derived(runner: Runner, row: MigrationRow): Promise<WayBack | undefined> {
  const { result, operations } = row
  if (!result || !operations.every((each) => derivable.has(each))) return undefined
  const { created, altered, dropped, tables } = result.effect
  if (created.length === 0 || altered.length + dropped.length + tables.length > 0) return undefined
  const found = await createdNow(runner, row, created)
  if (found.length !== created.length) return undefined
  const isTable = ({ kind }: Created): boolean => kind === 'r' || kind === 'p'
  const tablesNow = found.filter(isTable).map(({ name }) => name)
  const rest = found.filter((each) => !isTable(each) && !tablesNow.includes(each.belongs_to ?? ''))
  if (!rest.every(({ kind, is_constraint }) => kind === 'i' && !is_constraint)) return undefined
  return {
    statements: [
      ...rest.map(({ name }) => `DROP INDEX ${name}`),
      ...(tablesNow.length > 0 ? [`DROP TABLE ${tablesNow.join(', ')}`] : []),
    ],
    isDerived: true,
    mustBeEmpty: tablesNow,
  }
}

interface Created {
  name: string
  kind: string
  /** The table of an index or a sequence. */
  belongs_to: string | null
  is_constraint: boolean
}

const createdQuery = `
  select n.nspname as schema, c.relname as relation, c.relkind::text as kind, t.schema as table_schema, t.relation as table_relation,
    exists (select from pg_constraint k where k.conindid = c.oid) as is_constraint
  from unnest($1::text[]) given
    join pg_class c on c.oid = to_regclass(given)
    join pg_namespace n on n.oid = c.relnamespace
    left join lateral (
      select tn.nspname as schema, tc.relname as relation from pg_class tc join pg_namespace tn on tn.oid = tc.relnamespace
      where tc.oid = coalesce(
        (select i.indrelid from pg_index i where i.indexrelid = c.oid),
        (select d.refobjid from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
           and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and c.relkind = 'S' limit 1))
    ) t on true`

async function createdNow(
  runner: Runner,
  { group_id: groupId, database }: MigrationRow,
  names: readonly string[],
): Promise<Created[]> {
  const rows = await runner.lookUp({ groupId, database }, createdQuery, [[...names]])
  return rows.map((row) => ({
    name: quoted(row['schema'], row['relation']) ?? '',
    kind: String(row['kind']),
    belongs_to: quoted(row['table_schema'], row['table_relation']),
    is_constraint: row['is_constraint'] === true,
  }))
}

const quoted = (schema: unknown, relation: unknown): string | null =>
  typeof schema === 'string' && typeof relation === 'string'
    ? `${escapeIdentifier(schema)}.${escapeIdentifier(relation)}`
    : null
