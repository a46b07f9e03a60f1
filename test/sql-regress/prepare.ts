import type { CorpusDatabase } from '#test/sql-corpus'
import type { Classifier } from '../../src/sql/classify/classification.ts'

/** What makes tables, functions and traps of a script, so that its queries find something to harm. */
const building = new Set(
  `CREATE TABLE,CREATE VIEW,CREATE MATERIALIZED VIEW,CREATE FUNCTION,CREATE PROCEDURE,CREATE TYPE,CREATE DOMAIN,
  CREATE OPERATOR,CREATE AGGREGATE,CREATE SEQUENCE,CREATE INDEX,CREATE SCHEMA,CREATE RULE,CREATE TRIGGER,INSERT`
    .split(',')
    .map((name) => name.trim()),
)

/** Runs those statements as a superuser; the many that fail there are left out. Returns how many did not. */
export async function prepare(
  database: CorpusDatabase,
  classifier: Classifier,
  all: string[],
): Promise<number> {
  const { administrator } = database
  await administrator.query(`set statement_timeout = '1s'; set client_min_messages = 'error'`)
  let count = 0
  for (const sql of all) {
    const statements = await classifier.classify(sql, 'execute').catch(() => [])
    const names = statements.flatMap(({ operations }) => operations.filter(({ inner }) => !inner))
    if (statements.length !== 1 || !names[0] || !building.has(names[0].name)) continue
    const isDone = await administrator.query(sql).then(
      () => true,
      () => false,
    )
    if (isDone) count += 1
  }
  await administrator.query(`reset all; grant select on all tables in schema public to public`)
  return count
}
