import type { ClassifiedStatement, Classifier } from '../classify/classification.ts'
import type { Query } from './fact-rows.ts'
import { readFunctions } from './function-facts.ts'
import { readHidden } from './hidden-facts.ts'
import type { FunctionFacts, HiddenReach } from './policy.ts'

export interface Facts {
  /** By name without schema, so that every function of that name must pass. */
  functions: ReadonlyMap<string, FunctionFacts[]>
  hidden: HiddenReach[]
}

/** Everything `decide` has to know about the target database. Most statements take two queries. */
export async function readFacts(
  query: Query,
  statements: ClassifiedStatement[],
  classifier?: Classifier,
): Promise<Facts> {
  const names = new Set(statements.flatMap(({ functions }) => functions.map(({ name }) => name)))
  return {
    functions: Map.groupBy(await readFunctions({ query, classifier }, names), ({ name }) => name),
    hidden: await readHidden(query, statements),
  }
}
