import type { ClassifiedStatement, FoundOperation } from '../classify/classification.ts'
import type { Policy } from './policy.ts'
import { covers, firstOf, verdict, type DecisionInput, type Verdict } from './verdict.ts'

const needed = 'Approval by an admin or owner of the group.'

/** Why a person must look at it first. */
export function approvalOf({ statements, policy, kind }: DecisionInput): Verdict | undefined {
  if (policy.environment === 'prod' && kind === 'migrate')
    return verdict('prod_migration', null, 'Every migration in prod needs approval.', needed)
  return firstOf(statements, (statement) => approvalOfStatement(statement, policy))
}

function approvalOfStatement(statement: ClassifiedStatement, policy: Policy): Verdict | undefined {
  return (
    firstOf(statement.operations, (operation) => approvalOfOperation(operation, policy)) ??
    firstOf(statement.locks, ({ name, position }) =>
      covers(policy.requires_approval, 'UPDATE') ? listed(`SELECT ${name}`, position) : undefined,
    ) ??
    firstOf(statement.dynamic, ({ name, position }) =>
      verdict('dynamic_sql', position, `What this runs shows only at run time (${name}).`, needed),
    )
  )
}

function listed(name: string, position: number): Verdict {
  return verdict('requires_approval', position, `${name} is in requires_approval of the policy.`, needed)
}

const reads = new Set(['SELECT', 'EXPLAIN', 'SHOW'])

function approvalOfOperation(operation: FoundOperation, policy: Policy): Verdict | undefined {
  const { name, position, hasWhere } = operation
  if (covers(policy.requires_approval, name)) return listed(name, position)
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
