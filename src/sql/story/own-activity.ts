import type { ClassifiedStatement } from '../classify/classification.ts'
import { isActivity } from '../policy/relations.ts'
import { SqlError } from '../run/faults.ts'
import type { Reading } from './reading.ts'

/** All callers share a role of the database, which would see the statements of all of them. */
const opening = `with pg_stat_activity as (
  select * from pg_catalog.pg_stat_activity
  where application_name operator(pg_catalog.=) pg_catalog.current_setting('application_name')
) select * from (
`

const readsActivity = ({ relations }: ClassifiedStatement): boolean => relations.some(isActivity)

/** The text that runs: for a query of `pg_stat_activity`, with the caller's own sessions in its place. */
export function withOwnActivity(sql: string, { statements, texts }: Reading): string {
  return statements.some(readsActivity) ? `${opening}${texts[0] ?? ''}\n) as own_sessions` : sql
}

/** PostgreSQL reports the place in the text that ran. */
export function placedInText(error: unknown, { statements }: Reading): unknown {
  if (!(error instanceof SqlError) || error.position === null || !statements.some(readsActivity)) return error
  const position = error.position - opening.length + (statements[0]?.from ?? 0)
  return new SqlError(error.message, error.sqlstate, position, error.cause)
}
