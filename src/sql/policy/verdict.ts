import type { ClassifiedStatement, Kind } from '../classify/classification.ts'
import type { Decision, FunctionFacts, HiddenReach, Policy } from './policy.ts'

export interface DecisionInput {
  database: string
  statements: ClassifiedStatement[]
  policy: Policy
  kind: Kind
  /** Operations that run at once by a grant, whatever the lists of the policy say. */
  granted?: readonly string[]
  /** The functions of the target database by name (without schema), for every name that the statements call. */
  functions: ReadonlyMap<string, FunctionFacts[]>
  /** What `readFacts` found behind views, operators, domains and attributes. */
  hidden?: readonly HiddenReach[]
}

/** A decision without its outcome. */
export type Verdict = Omit<Decision, 'decision'>

export function verdict(rule: string, position: number | null, message: string, needed: string): Verdict {
  return { rule, message, position, needed }
}

/** An entry covers the operations that begin with its words: `DROP` covers `DROP TABLE`. */
export function covers(entries: readonly string[], operation: string): boolean {
  return entries.some((entry) => operation === entry || operation.startsWith(`${entry} `))
}

/** The first result that is not undefined. */
export function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
