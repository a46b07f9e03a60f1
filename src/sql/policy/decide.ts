import { approvalOf } from './approval.ts'
import type { Decision } from './policy.ts'
import { refusalOfReach } from './reach.ts'
import { refusalOfStatement } from './statement.ts'
import { firstOf, verdict, type DecisionInput, type Verdict, covers } from './verdict.ts'
import type { ClassifiedStatement, Found } from '../classify/classification.ts'

/**
 * What happens with the statements under the policy, and by which rule: pure. Whatever is refused in any of them
 * refuses the call; otherwise whatever needs approval pauses it; otherwise it runs.
 */
export function decide(input: DecisionInput): Decision {
  const refusal = refusalOfCall(input) ?? refusalOfStatements(input)
  if (refusal !== undefined) return { decision: 'refuse', ...refusal }
  const approval = approvalOf(input)
  if (approval !== undefined) return { decision: 'approve', ...approval }
  return {
    decision: 'execute',
    ...verdict('allowed', null, 'The policy allows every operation of the statement.', 'Nothing.'),
  }
}

function refusalOfCall({ database, statements, policy, kind }: DecisionInput): Verdict | undefined {
  if (!policy.allowed_databases.includes(database))
    return verdict(
      'database_not_allowed',
      null,
      `The policy does not allow the database ${database}.`,
      `Add ${database} to allowed_databases.`,
    )
  if (statements.length === 0)
    return verdict('no_statement', null, 'The text has no statement.', 'Send a statement.')
  if (kind === 'execute' && statements.length > 1)
    return verdict(
      'several_statements',
      statements[1]?.from ?? null,
      `The text has ${statements.length} statements; a call runs one.`,
      'Send each statement in a call of its own, or send them as a migration.',
    )
  return undefined
}

function refusalOfStatements(input: DecisionInput): Verdict | undefined {
  return firstOf(
    input.statements,
    (statement) =>
      refusalOfStatement(statement, input.kind) ??
      refusalOfReach(statement, input) ??
      refusalOfOperation(statement, input),
  )
}

/** Every operation found must be in one of the two lists. */
function refusalOfOperation(statement: ClassifiedStatement, input: DecisionInput): Verdict | undefined {
  return (
    firstOf(statement.operations, (operation) => refusalOf(operation, operation.name, input)) ??
    // PostgreSQL asks for the right to UPDATE too before it locks rows.
    firstOf(statement.locks, (lock) => refusalOf({ ...lock, name: `SELECT ${lock.name}` }, 'UPDATE', input))
  )
}

function refusalOf(
  { name, position }: Found,
  operation: string,
  { policy, granted = [] }: DecisionInput,
): Verdict | undefined {
  const { allowed_operations: allowed, requires_approval: approval } = policy
  if ([allowed, approval, granted].some((entries) => covers(entries, operation))) return undefined
  return verdict(
    'operation_not_allowed',
    position,
    `${name} is in neither allowed_operations nor requires_approval of the policy.`,
    `Add ${operation} to allowed_operations or requires_approval.`,
  )
}
