import { isForbidden, isHarmless, isListed } from './functions.ts'
import type { FunctionFacts, HiddenReach, Policy } from './policy.ts'
import { verdict, type Verdict } from './verdict.ts'

/** Behind a view or an operator the owner of the database chose the function, so only volatile ones count. */
export function isHarmlessReach(calls: FunctionFacts, policy: Policy): boolean {
  if (isForbidden(calls.name)) return false
  return (
    calls.volatility !== 'v' ||
    calls.isPure === true ||
    isHarmless(calls) ||
    isListed(calls, policy.allowed_functions ?? [])
  )
}

/** Whether a cast is used is not known, so a volatile one needs approval instead. */
export function refusalOfHidden(hidden: HiddenReach, policy: Policy): Verdict | undefined {
  const { reach, through, position, calls } = hidden
  if (reach === 'cast') return undefined
  if (calls === null) return refusalOfTarget(hidden)
  if (isHarmlessReach(calls, policy)) return undefined
  const name = `${calls.schema}.${calls.name}`
  if (isForbidden(calls.name))
    return verdict(
      'hidden_function',
      position,
      `${through} calls ${name}(), which no policy can allow.`,
      'Another source.',
    )
  return verdict(
    'hidden_function',
    position,
    `${through} calls ${name}(), which is volatile: it may change something.`,
    `Add ${name} to allowed_functions.`,
  )
}

function refusalOfTarget({ reach, through, position }: HiddenReach): Verdict {
  if (reach === 'foreign')
    return verdict(
      'foreign_table',
      position,
      `${through} reads from another server.`,
      'A table of this database.',
    )
  if (reach === 'rule')
    return verdict(
      'rule_target',
      position,
      `${through} has rules for writes, which run statements that the policy does not see.`,
      'A write to the tables themselves.',
    )
  return verdict(
    'catalog_write',
    position,
    `A write to ${through} reaches a table that PostgreSQL or the migrations keep.`,
    'A table of your own.',
  )
}
