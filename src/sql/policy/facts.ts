import type { ClassifiedStatement } from '../classify/classification.ts'
import type { FunctionFacts, HiddenReach } from './policy.ts'

/** Runs one query on the target database and returns its rows. */
export type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>

export interface Facts {
  functions: ReadonlyMap<string, FunctionFacts[]>
  hidden: HiddenReach[]
}

/** Everything `decide` has to know about the target database, in at most two queries. */
export async function readFacts(_query: Query, _statements: ClassifiedStatement[]): Promise<Facts> {
  return { functions: new Map(), hidden: [] }
}
