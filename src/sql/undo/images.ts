import type { PoolClient } from 'pg'
import { fetchRows } from '../run/fetch.ts'
import type { Effect } from '../evidence/evidence.ts'

/** The rows of one table before and after an UPDATE or DELETE, each as the text of a JSON object. */
export interface Images {
  schema: string
  table: string
  operation: 'UPDATE' | 'DELETE'
  rows: { old: string; new: string | null }[]
}

const maxRows = 10_000
const maxBytes = 4 * 1024 * 1024

interface Kept {
  rowsAffected: number | null
  rows: Images['rows'] | null
}

/**
 * Runs the statement so that it also returns its rows before and after (PostgreSQL 18). Undefined: that is not
 * possible for this one, which then has not run.
 */
export async function runKeepingRows(
  client: PoolClient,
  sql: string,
  params: readonly unknown[],
): Promise<Kept | undefined> {
  const returning =
    'returning with (old as signalbox_old, new as signalbox_new) to_jsonb(signalbox_old.*)::text, to_jsonb(signalbox_new.*)::text'
  await client.query('savepoint keeping')
  try {
    const limits = { maxRows, access: 'write' } as const
    const text = `${sql.replace(/(?<![;\s])[;\s]+$/, '')}\n${returning}`
    const { rows, truncated, rowsAffected } = await fetchRows(client, text, params, limits)
    await client.query('release savepoint keeping')
    const bytes = rows.reduce((sum, row) => sum + row.join('').length, 0)
    const isKept = !truncated && bytes <= maxBytes
    return {
      rowsAffected,
      rows: isKept ? rows.map(([old, now]) => ({ old: String(old), new: textOrNull(now) })) : null,
    }
  } catch (error) {
    // A statement that has RETURNING itself, or none at all; an older server. Everything else is the statement's own.
    if ((error as { code?: string }).code !== '42601') throw error
    await client.query('rollback to savepoint keeping')
    return undefined
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Rows that can be restored: all changes were in one table, none by a cascade or a trigger. */
export function imagesOf(rows: Images['rows'], { tables, created, dropped, altered }: Effect): Images | null {
  const [table, ...others] = tables
  if (!table || others.length > 0 || created.length + dropped.length + altered.length > 0) return null
  const { schema, name, inserted, updated, deleted } = table
  const operation = updated === rows.length ? 'UPDATE' : 'DELETE'
  if (inserted > 0 || updated + deleted !== rows.length || (updated > 0 && deleted > 0)) return null
  return { schema, table: name, operation, rows }
}
