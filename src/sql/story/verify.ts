import type { DatabaseOfGroup } from '../database/places.ts'
import type { Query } from '../policy/fact-rows.ts'
import { hasRules } from '../rules/rules.ts'
import { refuseTouched } from '../rules/touched.ts'
import type { Verify } from '../run/outside.ts'
import type { JudgeDeps, Judged } from './judge.ts'

/** Refuses, after the statement has run, what its rules could not see before. Undefined where there are no rules. */
export function verifyOf(
  { runner }: Pick<JudgeDeps, 'runner'>,
  { rules, found }: Judged,
  at: DatabaseOfGroup,
  access: 'read' | 'write',
): Verify | undefined {
  if (!hasRules(rules)) return undefined
  const others: Query = (sql, values) => runner.lookUp(at, sql, values)
  // What a write has created is not there for others; a read creates nothing, and has a connection already.
  return (inside) => refuseTouched({ inside, outside: access === 'read' ? inside : others }, rules, found)
}
