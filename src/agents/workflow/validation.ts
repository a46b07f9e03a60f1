import type { CheckKind } from '#sql/contract'
import type { Workflow } from '../contract.ts'
import { totalOf } from './counts.ts'
import type { Evidence, RanQuery } from './evidence.ts'
import { hasTable } from './tables.ts'

interface StepRule {
  id: string
  title: string
  isDoneBy(query: RanQuery, table: string): boolean
}

const checks =
  (kind: CheckKind) =>
  ({ shape }: RanQuery, table: string): boolean =>
    shape.checks.includes(kind) && hasTable(shape.tables, table)

const rules: readonly StepRule[] = [
  {
    id: 'baseline_count',
    title: 'Baseline count',
    isDoneBy: (query, table) => hasTable(query.shape.counted, table),
  },
  { id: 'null_check', title: 'Null checks on required columns', isDoneBy: checks('null') },
  { id: 'duplicate_check', title: 'Duplicate checks by unique key', isDoneBy: checks('duplicate') },
  {
    id: 'foreign_key_check',
    title: 'Foreign-key checks through left joins',
    isDoneBy: checks('foreign_key'),
  },
  {
    id: 'spot_check',
    title: 'Spot check of a few rows',
    isDoneBy: ({ shape }, table) => shape.isSample && hasTable(shape.tables, table),
  },
]

export interface Validation {
  workflow: Workflow
  database: string
  table: string
  /** The queries of each step, in its order. */
  found: { title: string; queries: RanQuery[] }[]
  /** Rows at the first and at the last count. */
  before: number | null
  after: number | null
  /** Null where a check does not say how many it found. */
  problems: number | null
}

/** A validation is of one table: the one for which most steps were done. */
export function validationOf({ queries: all }: Evidence): Validation | null {
  const queries = all.filter(({ result }) => result.rowCount !== null)
  const candidates = subjectsOf(queries).map(({ database, table }) => examine(queries, database, table))
  const doneIn = ({ workflow }: Validation): number => workflow.steps.filter(({ done }) => done).length
  const [best] = candidates.toSorted((one, other) => doneIn(other) - doneIn(one))
  return best ?? null
}

function subjectsOf(queries: readonly RanQuery[]): { database: string; table: string }[] {
  const named = queries.flatMap(({ database, shape }) => shape.tables.map((table) => ({ database, table })))
  return [...new Map(named.map((each) => [`${each.database} ${each.table}`, each])).values()]
}

function examine(all: readonly RanQuery[], database: string, table: string): Validation {
  const queries = all.filter((query) => query.database === database)
  const found = rules.map(({ title, isDoneBy }) => ({
    title,
    queries: queries.filter((query) => isDoneBy(query, table)),
  }))
  const steps = rules.map(({ id, title }, at) => {
    const ids = [...new Set((found[at]?.queries ?? []).map(({ auditId }) => auditId))]
    return { id, title, done: ids.length > 0, evidence: ids }
  })
  const status = steps.every(({ done }) => done) ? 'complete' : 'incomplete'
  const totals = queries.flatMap((query) => totalOf(query, table) ?? [])
  const checked = [...new Set(found.flatMap((step) => step.queries))].filter(
    ({ shape }) => shape.checks.length > 0,
  )
  return {
    workflow: { kind: 'validation', status, steps },
    database,
    table,
    found,
    before: totals[0] ?? null,
    after: totals.at(-1) ?? null,
    problems: sumOf(checked.map(problemsIn)),
  }
}

const sumOf = (numbers: readonly (number | null)[]): number | null =>
  numbers.includes(null) ? null : numbers.reduce<number>((sum, each) => sum + (each ?? 0), 0)

/** How many problems a check found: the rows it returned, or what its counts say. */
export function problemsIn({ shape, result }: RanQuery): number | null {
  if (shape.rowsAreProblems) return result.rowCount
  const { columns } = shape
  if (!columns || !result.counts || !columns.some(({ kind }) => kind !== 'other' && kind !== 'total'))
    return null
  return sumOf(
    result.counts.rows.map((row) => {
      const total = row[columns.findIndex(({ kind }) => kind === 'total')] ?? null
      return sumOf(
        columns.map(({ kind }, at) => {
          const value = row[at] ?? null
          if (kind === 'problem') return value
          if (kind !== 'distinct' && kind !== 'present') return 0
          return total === null || value === null ? null : total - value
        }),
      )
    }),
  )
}
