import { z } from 'zod'
import type { ClassifiedStatement } from '../classify/classification.ts'
import { functionRow, type Query } from './fact-rows.ts'
import { functionsQuery } from './facts-queries.ts'
import { isForbidden, isHarmless, isUserCode } from './functions.ts'
import { findHidden, type FoundReach } from './hidden-facts.ts'
import type { FunctionFacts } from './policy.ts'
import { isActivity, isSecretCatalog } from './relations.ts'

/** The statements of a definition. */
export type ReadCode = (definition: string) => Promise<ClassifiedStatement[]>

export interface FactSources {
  query: Query
  /** Without it, code of users is never pure. */
  readCode: ReadCode | undefined
}

const wholeRow = functionRow.extend({ isVisible: z.boolean(), definition: z.string().nullable() })

/** Functions that call functions: beyond this depth they are not read. */
const maxDepth = 3

export async function readFunctions(
  sources: FactSources,
  names: ReadonlySet<string>,
  depth = 0,
): Promise<FunctionFacts[]> {
  if (names.size === 0) return []
  const rows = z.array(wholeRow).parse(await sources.query(functionsQuery, [[...names]]))
  const facts: FunctionFacts[] = []
  for (const { definition, ...row } of rows)
    facts.push(definition === null ? row : { ...row, isPure: await isPure(definition, sources, depth) })
  return facts
}

/** A label such as IMMUTABLE is a promise that PostgreSQL does not check, so the code is read. */
export async function isPure(definition: string, sources: FactSources, depth: number): Promise<boolean> {
  if (sources.readCode === undefined || depth >= maxDepth) return false
  const [code] = await sources.readCode(definition).catch(() => [])
  if (code === undefined || !onlyReads(code)) return false
  const names = new Set(code.functions.map(({ name }) => name))
  const called = await readFunctions(sources, names, depth + 1)
  const isKnown = [...names].every((name) => called.some((facts) => facts.name === name))
  const hidden = await findHidden(sources.query, [code])
  return isKnown && called.every(isSafe) && hidden.every(isSafeReach)
}

function onlyReads({ operations, sessionChanges, locks, dynamic, relations }: ClassifiedStatement): boolean {
  return (
    operations.every(({ name, inner }) => !inner || name === 'SELECT') &&
    sessionChanges.length + locks.length + dynamic.length === 0 &&
    !relations.some((relation) => isSecretCatalog(relation) || isActivity(relation))
  )
}

/** Implicit casts are judged for every statement, whatever it calls; of the others the label must do. */
function isSafeReach({ reach, calls, isImplicit }: FoundReach): boolean {
  if (calls === null) return false
  return reach === 'cast' ? isImplicit || calls.volatility !== 'v' : isSafe(calls)
}

function isSafe(facts: FunctionFacts): boolean {
  if (isForbidden(facts.name)) return false
  if (isUserCode(facts)) return facts.isPure === true
  return facts.volatility !== 'v' || isHarmless(facts)
}
