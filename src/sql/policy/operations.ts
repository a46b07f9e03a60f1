import type { ClassifiedStatement, Found } from '../classify/classification.ts'
import type { Policy } from './policy.ts'
import { covers, firstOf, verdict, type Verdict } from './verdict.ts'

/** Every operation found must be in one of the two lists. */
export function refusalOfOperation(statement: ClassifiedStatement, policy: Policy): Verdict | undefined {
  return (
    firstOf(statement.operations, (operation) => refusalOf(operation, operation.name, policy)) ??
    // PostgreSQL asks for the right to UPDATE too before it locks rows.
    firstOf(statement.locks, (lock) => refusalOf({ ...lock, name: `SELECT ${lock.name}` }, 'UPDATE', policy))
  )
}

function refusalOf({ name, position }: Found, operation: string, policy: Policy): Verdict | undefined {
  const { allowed_operations: allowed, requires_approval: approval } = policy
  if (covers(allowed, operation) || covers(approval, operation)) return undefined
  return verdict(
    'operation_not_allowed',
    position,
    `${name} is in neither allowed_operations nor requires_approval of the policy.`,
    `Add ${operation} to allowed_operations or requires_approval.`,
  )
}
