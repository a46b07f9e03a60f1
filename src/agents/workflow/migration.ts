import type { Workflow } from '../contract.ts'
import { changedTables, isCreated, isDropped } from './counts.ts'
import type { Change, Evidence, RanQuery } from './evidence.ts'
import { hasTable } from './tables.ts'

type Step = Workflow['steps'][number]

interface StepRule {
  id: string
  title: string
  /** The entries of the audit log that show it was done for this change; null where it was not. */
  find(change: Change, evidence: Evidence): string[] | null
}

const dataChanges = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'SELECT'])

/** Whatever goes through the migration operation, and every change of a schema. */
export const isMigration = ({ kind, operations }: Change): boolean =>
  kind === 'migrate' || operations.some((name) => !dataChanges.has(name))

const rules: readonly StepRule[] = [
  {
    id: 'schema_read',
    title: 'Read the current schema',
    find: (change, evidence) =>
      idsOf(around(change, evidence, 'before').filter(({ shape }) => shape.readsCatalog)),
  },
  {
    id: 'idempotent_sql',
    title: 'Write idempotent SQL',
    find: ({ facts, auditIds }) =>
      facts && facts.statements.length > 0 && facts.statements.every(({ isIdempotent }) => isIdempotent)
        ? auditIds
        : null,
  },
  {
    id: 'counts_before',
    title: 'Record row counts before',
    find: (change, evidence) => counted(change, evidence, 'before', (table) => isCreated(change, table)),
  },
  {
    id: 'migrate',
    title: 'Run through the migration operation',
    find: ({ kind, outcome, auditIds }) =>
      kind === 'migrate' && (outcome === 'executed' || outcome === 'already_applied') ? auditIds : null,
  },
  {
    id: 'counts_after',
    title: 'Check row counts after',
    find: (change, evidence) => counted(change, evidence, 'after', (table) => isDropped(change, table)),
  },
  {
    id: 'sample_query',
    title: 'Run a sample query',
    find: (change, evidence) => idsOf(around(change, evidence, 'after').filter(isSampleOf(change))),
  },
]

/** A step is done when it was done for every migration of the run. */
export function migrationWorkflow(evidence: Evidence): Workflow {
  const changes = evidence.changes.filter(isMigration)
  const steps = rules.map(({ id, title, find }): Step => {
    const found = changes.map((change) => find(change, evidence))
    const done = found.length > 0 && found.every((each) => each !== null)
    return { id, title, done, evidence: done ? [...new Set(found.flatMap((each) => each ?? []))] : [] }
  })
  const status = steps.every(({ done }) => done) ? 'complete' : 'incomplete'
  return { kind: 'migration', status, steps }
}

type Side = 'before' | 'after'

const around = (change: Change, { queries }: Evidence, side: Side): RanQuery[] =>
  queries.filter(
    ({ database, place }) =>
      database === change.database && (side === 'before' ? place < change.place : place > change.place),
  )

const idsOf = (queries: readonly RanQuery[]): string[] | null =>
  queries.length === 0 ? null : [...new Set(queries.map(({ auditId }) => auditId))]

/** Every table that it changes was counted; where it changes none, any count will do. */
function counted(
  change: Change,
  evidence: Evidence,
  side: Side,
  isAbsent: (table: string) => boolean,
): string[] | null {
  const counts = around(change, evidence, side).filter(({ shape }) => shape.counted.length > 0)
  const all = changedTables(change)
  const tables = all.filter((table) => !isAbsent(table))
  if (all.length === 0) return idsOf(counts)
  const found = tables.map((table) => counts.filter(({ shape }) => hasTable(shape.counted, table)))
  return found.every((each) => each.length > 0) ? (idsOf(found.flat()) ?? change.auditIds) : null
}

/** Rows of a table that it changed; where there is none left, any look at the database. */
function isSampleOf(change: Change): (query: RanQuery) => boolean {
  const tables = changedTables(change).filter((table) => !isDropped(change, table))
  return ({ shape, result }) => {
    if (result.rowCount === null) return false
    if (tables.length === 0) return shape.isSample || shape.readsCatalog
    return shape.isSample && shape.tables.some((table) => hasTable(tables, table))
  }
}
