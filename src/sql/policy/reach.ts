import type { ClassifiedStatement, FoundFunction, FoundRelation } from '../classify/classification.ts'
import { isForbidden, isHarmless, isListed, isUserCode } from './functions.ts'
import type { FunctionFacts, Policy } from './policy.ts'
import { refusalOfHidden } from './hidden.ts'
import { isActivity, isMigrationList, isSecretCatalog, isSystem } from './relations.ts'
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
    firstOf(statement.relations, refusalOfRelation) ??
    refusalOfActivity(statement, input) ??
    firstOf(statement.functions, (found) => refusalOfCall(found, input)) ??
    firstOf(statement.fieldCalls, (found) => refusalOfField(found, input)) ??
    firstOf(input.hidden ?? [], (reach) => refusalOfHidden(reach, input.policy))
  )
}

function refusalOfRelation(relation: FoundRelation): Verdict | undefined {
  const { name, mode, position } = relation
  if (isSecretCatalog(relation))
    return verdict(
      'secret_catalog',
      position,
      `${name} may hold passwords, keys or data of others.`,
      'Another source.',
    )
  if (mode === 'read') return undefined
  if (isSystem(relation))
    return verdict(
      'catalog_write',
      position,
      `${name} belongs to PostgreSQL: writing to it changes settings or the structure of the database.`,
      'A table of your own. If it is one, write its schema before its name.',
    )
  if (isMigrationList(relation))
    return verdict('migration_list', position, `${name} is written by migrations only.`, 'A migration.')
  return undefined
}

/** In a plain query the proxy puts the caller's own sessions in its place; elsewhere it cannot. */
function refusalOfActivity(
  { relations, operations, isReadOnly }: ClassifiedStatement,
  { kind }: DecisionInput,
): Verdict | undefined {
  const found = relations.filter(isActivity)
  const isQuery = isReadOnly && kind === 'execute' && operations.every(({ name }) => name === 'SELECT')
  const refused = isQuery ? found.find(({ schema }) => schema !== null) : found[0]
  if (refused === undefined) return undefined
  return verdict(
    'other_sessions',
    refused.position,
    'pg_stat_activity shows statements of others here.',
    'A SELECT from pg_stat_activity, without a schema before its name: it has your own sessions.',
  )
}

/** Every function that the name may stand for must pass: which of them is called depends on the arguments. */
function refusalOfCall(found: FoundFunction, { functions, policy }: DecisionInput): Verdict | undefined {
  const { name, schema, position } = found
  if (isForbidden(name)) return forbidden(name, position)
  const candidates = candidatesOf(found, functions)
  if (candidates.length === 0)
    return verdict(
      'function_unknown',
      position,
      `The database has no function ${schema === null ? name : `${schema}.${name}`}.`,
      'A function that exists.',
    )
  return firstOf(candidates, (facts) => refusalOfFunction(facts, position, policy))
}

/** `(1).f` is a call where `f` is no field: which of them it is depends on types, so it must pass as a call. */
function refusalOfField(found: FoundFunction, { functions, policy }: DecisionInput): Verdict | undefined {
  const { name, position } = found
  const candidates = candidatesOf(found, functions).filter(({ takesOne }) => takesOne !== false)
  if (candidates.length > 0 && isForbidden(name)) return forbidden(name, position)
  return firstOf(candidates, (facts) => refusalOfFunction(facts, position, policy))
}

const candidatesOf = (
  { name, schema }: FoundFunction,
  functions: DecisionInput['functions'],
): FunctionFacts[] =>
  (functions.get(name) ?? []).filter((facts) =>
    schema === null ? facts.isVisible !== false : facts.schema === schema,
  )

const forbidden = (name: string, position: number): Verdict =>
  verdict(
    'function_forbidden',
    position,
    `${name}() reaches files, the network or other sessions, changes the session, or runs text as SQL.`,
    'A statement without it: no policy can allow it.',
  )

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
