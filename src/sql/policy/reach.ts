import type { ClassifiedStatement, FoundFunction } from '../classify/classification.ts'
import { isForbidden, isHarmless, isListed, isUserCode } from './functions.ts'
import type { FunctionFacts, HiddenReach, Policy } from './policy.ts'
import { isSecretCatalog } from './relations.ts'
import { firstOf, verdict, type DecisionInput, type Verdict } from './verdict.ts'

/** What the statement reaches beside its operations: other databases, catalogs, functions. */
export function refusalOfReach(statement: ClassifiedStatement, input: DecisionInput): Verdict | undefined {
  return (
    firstOf(statement.crossDatabase, ({ name, position }) =>
      name === input.database
        ? undefined
        : verdict(
            'cross_database',
            position,
            `The statement names the database ${name}; the call is for ${input.database}.`,
            'A call for the other database.',
          ),
    ) ??
    firstOf(statement.relations, (relation) =>
      isSecretCatalog(relation)
        ? verdict(
            'secret_catalog',
            relation.position,
            `${relation.name} may hold passwords, keys or data of others.`,
            'Another source.',
          )
        : undefined,
    ) ??
    firstOf(statement.functions, (found) => refusalOfCall(found, input)) ??
    firstOf(input.hidden ?? [], (reach) => refusalOfHidden(reach, input.policy))
  )
}

/** Every function that the name may stand for must pass: which of them is called depends on the arguments. */
function refusalOfCall(found: FoundFunction, { functions, policy }: DecisionInput): Verdict | undefined {
  const { name, schema, position } = found
  if (isForbidden(name))
    return verdict(
      'function_forbidden',
      position,
      `${name}() reaches files, the network or other sessions, changes the session, or runs text as SQL.`,
      'A statement without it: no policy can allow it.',
    )
  const candidates = (functions.get(name) ?? []).filter((facts) =>
    schema === null ? facts.isVisible !== false : facts.schema === schema,
  )
  if (candidates.length === 0)
    return verdict(
      'function_unknown',
      position,
      `The database has no function ${schema === null ? name : `${schema}.${name}`}.`,
      'A function that exists.',
    )
  return firstOf(candidates, (facts) => refusalOfFunction(facts, position, policy))
}

function refusalOfFunction(facts: FunctionFacts, position: number, policy: Policy): Verdict | undefined {
  const { schema, name, volatility } = facts
  if (isListed(facts, policy.allowed_functions ?? [])) return undefined
  const needed = `Add ${schema === 'pg_catalog' ? name : `${schema}.${name}`} to allowed_functions.`
  if (isUserCode(facts) && facts.isPure !== true)
    return verdict(
      'function_not_allowed',
      position,
      `${schema}.${name}() is not in allowed_functions.`,
      needed,
    )
  if (volatility === 'v' && !isHarmless(facts))
    return verdict('function_volatile', position, `${name}() is volatile: it may change something.`, needed)
  return undefined
}

/** Behind a view or an operator the owner of the database chose the function, so only volatile ones count. */
function refusalOfHidden({ through, position, calls }: HiddenReach, policy: Policy): Verdict | undefined {
  if (calls === null)
    return verdict(
      'foreign_table',
      position,
      `${through} reads from another server.`,
      'A table of this database.',
    )
  const isSafe =
    calls.volatility !== 'v' || isHarmless(calls) || isListed(calls, policy.allowed_functions ?? [])
  if (isSafe && !isForbidden(calls.name)) return undefined
  return verdict(
    'hidden_function',
    position,
    `${through} calls ${calls.schema}.${calls.name}(), which is volatile: it may change something.`,
    `Add ${calls.schema}.${calls.name} to allowed_functions.`,
  )
}
