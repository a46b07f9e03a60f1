import type { ClassifiedStatement, FoundOperation } from '../classify/classification.ts'
import { isHarmlessReach } from './hidden.ts'
import type { HiddenReach, Policy } from './policy.ts'
import { covers, firstOf, verdict, type DecisionInput, type Verdict } from './verdict.ts'

const needed = 'Approval by an admin or owner of the group.'

/** Why a person must look at it first. */
export function approvalOf(input: DecisionInput): Verdict | undefined {
  const { statements, policy, kind, granted = [], hidden = [] } = input
  if (policy.environment === 'prod' && kind === 'migrate')
    return verdict('prod_migration', null, 'Every migration in prod needs approval.', needed)
  return (
    firstOf(statements, (statement) => approvalOfStatement(statement, policy, granted)) ??
    firstOf(hidden, (reach) => approvalOfCast(reach, policy))
  )
}

function approvalOfStatement(
  statement: ClassifiedStatement,
  policy: Policy,
  granted: readonly string[],
): Verdict | undefined {
  const isListed = (operation: string): boolean =>
    covers(policy.requires_approval, operation) && !covers(granted, operation)
  return (
    firstOf(statement.operations, (operation) =>
      isListed(operation.name)
        ? listed(operation.name, operation.position)
        : approvalOfEnvironment(operation, policy),
    ) ??
    firstOf(statement.locks, ({ name, position }) =>
      isListed('UPDATE') ? listed(`SELECT ${name}`, position) : undefined,
    ) ??
    firstOf(statement.dynamic, ({ name, position }) =>
      verdict('dynamic_sql', position, `What this runs shows only at run time (${name}).`, needed),
    )
  )
}

/** Which casts a statement uses depends on types, which only the database knows. */
function approvalOfCast(
  { reach, through, position, calls }: HiddenReach,
  policy: Policy,
): Verdict | undefined {
  if (reach !== 'cast' || calls === null || isHarmlessReach(calls, policy)) return undefined
  const name = `${calls.schema}.${calls.name}`
  return verdict(
    'volatile_cast',
    position,
    `A cast to ${through} may call ${name}(), which is volatile: it may change something.`,
    `Add ${name} to allowed_functions, or: ${needed}`,
  )
}

function listed(name: string, position: number): Verdict {
  return verdict('requires_approval', position, `${name} is in requires_approval of the policy.`, needed)
}

const reads = new Set(['SELECT', 'EXPLAIN', 'SHOW'])

/** No grant lifts what an environment asks for. */
function approvalOfEnvironment(operation: FoundOperation, policy: Policy): Verdict | undefined {
  const { name, position, hasWhere } = operation
  if (policy.environment === 'dev' || reads.has(name)) return undefined
  const isRowWrite = name === 'UPDATE' || name === 'DELETE'
  if (isRowWrite && !hasWhere)
    return verdict(
      'without_where',
      position,
      `${name} without WHERE needs approval in ${policy.environment}.`,
      `A WHERE, or: ${needed}`,
    )
  if (policy.environment === 'prod' && !isRowWrite && name !== 'INSERT')
    return verdict('prod_write', position, `${name} needs approval in prod.`, needed)
  return undefined
}
