import type { ClassifiedStatement, Kind } from '../classify/classification.ts'
import type { Decision, FunctionFacts, HiddenReach, Policy } from './policy.ts'

export interface DecisionInput {
  database: string
  statements: ClassifiedStatement[]
  policy: Policy
  kind: Kind
  /** The functions of the target database by name (without schema), for every name that the statements call. */
  functions: ReadonlyMap<string, FunctionFacts[]>
  /** What `readFacts` found behind views, operators, domains and attributes. */
  hidden?: readonly HiddenReach[]
}

/** Pure: what happens with the statements under the policy, and by which rule. */
export function decide(input: DecisionInput): Decision {
  const rule = input.statements.length === 0 ? 'empty' : 'not_allowed'
  return { decision: 'refuse', rule, message: 'Not allowed.', position: null, needed: '' }
}
