import type { AttemptFacts, QueryShape, ResultFacts, Work } from '#sql/contract'

/** A query that ran, at its place in the run. */
export interface RanQuery {
  auditId: string
  place: number
  database: string
  sql: string
  shape: QueryShape
  result: ResultFacts
}

export type Outcome = 'executed' | 'already_applied' | 'failed' | 'unknown' | 'rejected' | 'refused'

/** A change that was asked for, from the first attempt to what came of it. */
export interface Change {
  /** The same for the same change, also when it is looked at again. */
  key: string
  auditIds: string[]
  place: number
  kind: Work['kind']
  database: string
  sql: string
  operations: string[]
  outcome: Outcome
  error: string | null
  rowsAffected: number | null
  facts: AttemptFacts | null
}

export interface Evidence {
  queries: RanQuery[]
  changes: Change[]
}

const reads = new Set(['SELECT', 'EXPLAIN', 'SHOW'])
const isRead = ({ kind, operations }: Work): boolean =>
  kind === 'execute' && operations.every((name) => reads.has(name))

/** From the most to the least that can have come of a change; what only waits or was tried out is none. */
const outcomes: readonly Outcome[] = [
  'executed',
  'already_applied',
  'failed',
  'unknown',
  'rejected',
  'refused',
]

/** What really ran, in order: the attempts of a run, as the audit log has them. */
export function evidenceOf(works: readonly Work[]): Evidence {
  const places = new Map(works.map((work, index) => [work.id, index * 3]))
  const placeOf = ({ id }: Work): number => places.get(id) ?? 0
  const groups = Map.groupBy(
    works.filter((work) => !isRead(work) && work.status !== 'dry_run'),
    ({ id, approval_id: approval }) => approval ?? id,
  )
  const changes = [...groups].flatMap(([key, group]) => changeOf(key, group, placeOf) ?? [])
  const queries = works.flatMap((work) => [...queriesOf(work, placeOf(work))])
  return {
    queries: queries.toSorted((one, other) => one.place - other.place),
    changes: changes.toSorted((one, other) => one.place - other.place),
  }
}

function changeOf(key: string, group: readonly Work[], placeOf: (work: Work) => number): Change | undefined {
  const [outcome] = outcomes.filter((each) => group.some(({ status }) => status === each))
  const last = group.findLast(({ status }) => status === outcome)
  if (outcome === undefined || !last) return undefined
  const facts = last.facts ?? group.find((each) => each.facts !== null)?.facts ?? null
  return {
    key,
    auditIds: group.map(({ id }) => id),
    place: placeOf(last),
    kind: last.kind,
    database: last.database,
    sql: last.sql,
    operations: last.operations,
    outcome,
    error: last.error,
    rowsAffected: last.rows_affected,
    facts,
  }
}

/** A query is at the place of its attempt; the checks of a migration are right before and right after it. */
function* queriesOf(work: Work, place: number): Generator<RanQuery> {
  const { id: auditId, database, sql, facts } = work
  if (work.status !== 'executed' || !facts) return
  const [statement] = facts.statements
  if (isRead(work) && statement?.query && facts.result)
    yield { auditId, place, database, sql, shape: statement.query, result: facts.result }
  for (const { sql: text, shape, before, after } of facts.checks) {
    if (!shape.query) continue
    const check = { auditId, database, sql: text, shape: shape.query }
    yield { ...check, place: place - 1, result: before }
    yield { ...check, place: place + 1, result: after }
  }
}
