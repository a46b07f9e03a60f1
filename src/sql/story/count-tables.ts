import type { TableCount } from '../contract.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import { shapesOf } from './reading.ts'
import type { Prepared } from './prepared.ts'

const maxTables = 5
/** Counting more would take long. */
const maxRows = 1_000_000

type Counts = Map<string, number | null>

/**
 * Counts the rows of the tables that a call of a run changes, before and after it, so that the devlog of the run does
 * not depend on whether the model counted.
 */
export async function withCounts<T>(
  runner: Runner,
  { caller, reading, access }: Prepared,
  database: string,
  work: () => Promise<T>,
): Promise<{ result: T; counted: TableCount[] }> {
  const changed = [...new Set(shapesOf(reading).flatMap(({ changes }) => changes))].slice(0, maxTables)
  const isCounted = caller.principal.key?.run !== undefined && access === 'write'
  const tables = isCounted ? changed : []
  const at = { groupId: caller.group.id, database }
  const before = await countAll(runner, at, tables)
  const result = await work()
  const after = await countAll(runner, at, tables)
  const counted = tables.map((table) => ({
    table,
    before: before.get(table) ?? null,
    after: after.get(table) ?? null,
  }))
  return { result, counted }
}

async function countAll(runner: Runner, at: DatabaseOfGroup, tables: readonly string[]): Promise<Counts> {
  const counts: Counts = new Map()
  // A count that fails, or takes too long, is not known; the change itself does not depend on it.
  for (const table of tables) counts.set(table, await count(runner, at, table).catch(() => null))
  return counts
}

const findTable = `select format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and ((c.relname = $1 and pg_table_is_visible(c.oid)) or n.nspname || '.' || c.relname = $1)
  limit 1`

async function count(runner: Runner, at: DatabaseOfGroup, table: string): Promise<number | null> {
  const [found] = await runner.lookUp(at, findTable, [table])
  // A table that is not there has no rows.
  if (!found) return 0
  const limited = `select from ${String(found['name'])} limit ${maxRows + 1}`
  const [row] = await runner.lookUp(at, `select count(*)::int as n from (${limited}) counted`, [])
  const rows = Number(row?.['n'])
  return rows <= maxRows ? rows : null
}
