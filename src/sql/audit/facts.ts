import { mask } from '#kernel/mask'
import type { StatementShape } from '../classify/shape/shape.ts'
import type { Effect } from '../evidence/evidence.ts'
import type { AttemptFacts, CheckFacts, CountResult, ResultFacts, WorkEffect } from '../shapes/work.ts'
import { cutSql } from './entry.ts'

const [maxStatements, maxRows, maxColumns, maxRelations] = [200, 20, 16, 100]

type Row = Readonly<Record<string, unknown>>

export function resultFacts({ query }: StatementShape, rows: readonly Row[], rowCount: number): ResultFacts {
  return { rowCount, counts: query?.columns ? countsIn(rows) : null, sqlstate: null }
}

function countsIn(rows: readonly Row[]): CountResult | null {
  const columns = Object.keys(rows[0] ?? {})
  if (rows.length === 0 || rows.length > maxRows || columns.length > maxColumns) return null
  return { columns, rows: rows.map((row) => columns.map((name) => integer(row[name]))) }
}

const integer = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

export interface CheckedQuery {
  sql: string
  before: unknown
  after: unknown
}

export function checkFacts(shapes: readonly StatementShape[], checks: readonly CheckedQuery[]): CheckFacts[] {
  return checks.flatMap(({ sql, before, after }, at) => {
    const shape = shapes[at]
    if (!shape) return []
    return [
      { sql: cutSql(mask(sql)).sql, shape, before: checked(shape, before), after: checked(shape, after) },
    ]
  })
}

/** A check that failed has an error in place of its rows. */
function checked(shape: StatementShape, found: unknown): ResultFacts {
  if (Array.isArray(found)) return resultFacts(shape, found as Row[], found.length)
  const { sqlstate } = found as { sqlstate?: unknown }
  return { rowCount: null, counts: null, sqlstate: typeof sqlstate === 'string' ? sqlstate : null }
}

export const effectFacts = (effect: Effect | null): WorkEffect | null =>
  effect && {
    tables: effect.tables.slice(0, maxRelations),
    created: effect.created.slice(0, maxRelations),
    dropped: effect.dropped.slice(0, maxRelations),
  }

export const factsOf = (
  statements: readonly StatementShape[],
  more: Partial<Omit<AttemptFacts, 'statements'>>,
): AttemptFacts => ({
  statements: statements.slice(0, maxStatements),
  result: null,
  checks: [],
  effect: null,
  ...more,
})
