import { approvalOf } from './approval.ts'
import { refusalOfOperation } from './operations.ts'
import type { Decision } from './policy.ts'
import { refusalOfReach } from './reach.ts'
import { refusalOfStatement } from './statement.ts'
import { firstOf, verdict, type DecisionInput, type Verdict } from './verdict.ts'

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
      refusalOfOperation(statement, input.policy),
  )
}
