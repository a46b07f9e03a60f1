import type { ClassifiedStatement } from '../classify/classification.ts'
import type { Query } from './fact-rows.ts'
import { fieldsOf, isPure, readFunctions, type FactSources, type ReadCode } from './function-facts.ts'
import { findHidden } from './hidden-facts.ts'
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
  readCode?: ReadCode,
): Promise<Facts> {
  const names = new Set(
    statements.flatMap((each) => [...each.functions.map(({ name }) => name), ...fieldsOf(each)]),
  )
  const sources = { query, readCode }
  return {
    functions: Map.groupBy(await readFunctions(sources, names), ({ name }) => name),
    hidden: await readHidden(sources, statements),
  }
}

/** A function that is volatile by its label only, and in fact calculates and reads, is marked as pure. */
async function readHidden(sources: FactSources, statements: ClassifiedStatement[]): Promise<HiddenReach[]> {
  const hidden: HiddenReach[] = []
  for (const { definition, isImplicit: _isImplicit, ...found } of await findHidden(
    sources.query,
    statements,
  )) {
    const pure = definition !== null && (await isPure(definition, sources, 0))
    hidden.push(found.calls && pure ? { ...found, calls: { ...found.calls, isPure: true } } : found)
  }
  return hidden
}
