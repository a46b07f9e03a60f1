import type { Classifier } from '../../src/sql/classify/classification.ts'

/** What makes tables, functions and traps of a script, so that its queries find something to harm. */
const building = new Set(
  `CREATE TABLE,CREATE VIEW,CREATE MATERIALIZED VIEW,CREATE FUNCTION,CREATE PROCEDURE,CREATE TYPE,CREATE DOMAIN,
  CREATE OPERATOR,CREATE AGGREGATE,CREATE SEQUENCE,CREATE INDEX,CREATE SCHEMA,CREATE RULE,CREATE TRIGGER,INSERT`
    .split(',')
    .map((name) => name.trim()),
)

/** The statements that build something, alone. */
export async function findBuilding(classifier: Classifier, all: string[]): Promise<string[]> {
  const found: string[] = []
  for (const sql of all) {
    const statements = await classifier.classify(sql, 'execute').catch(() => [])
    const first = statements[0]?.operations.find(({ inner }) => !inner)
    if (statements.length === 1 && first && building.has(first.name)) found.push(sql)
  }
  return found
}
