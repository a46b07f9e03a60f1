import { z } from 'zod'
import type { ClassifiedStatement } from '../classify/classification.ts'
import { functionRow, type Query } from './fact-rows.ts'
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

const wholeRow = functionRow.extend({
  isVisible: z.boolean(),
  takesOne: z.boolean(),
  definition: z.string().nullable(),
})

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
  const called = await readFunctions(sources, new Set([...names, ...fieldsOf(code)]), depth + 1)
  const isKnown = [...names].every((name) => called.some((facts) => facts.name === name))
  const hidden = await findHidden(sources.query, [code])
  const mayRun = called.filter(({ name, takesOne }) => names.has(name) || takesOne !== false)
  return isKnown && mayRun.every(isSafe) && hidden.every(isSafeReach)
}

/** Names that may be calls or fields. */
export const fieldsOf = ({ fieldCalls }: ClassifiedStatement): Set<string> =>
  new Set(fieldCalls.map(({ name }) => name))

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

/**
 * Functions by name, in every schema. An aggregate is as volatile as the functions it is made of, and written in
 * their language: its own label says nothing. The definition is that of code which may be pure.
 */
const functionsQuery = `
  select n.nspname as schema, p.proname as name, p.prosecdef as "isSecurityDefiner",
    case when parts.is_volatile then 'v' else p.provolatile end as volatility,
    coalesce(parts.language, l.lanname) as language,
    n.nspname = any(current_schemas(true)) as "isVisible",
    p.prokind = 'f' and p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1 as "takesOne",
    case when p.provolatile <> 'v' and p.prokind = 'f' and n.nspname <> 'pg_catalog'
        and l.lanname in ('sql', 'plpgsql') and not p.prosecdef
      then pg_catalog.pg_get_functiondef(p.oid) end as definition
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  left join lateral (
    select bool_or(f.provolatile = 'v') as is_volatile,
      max(k.lanname) filter (where k.lanname not in ('c', 'internal')) as language
    from pg_catalog.pg_aggregate a
    join pg_catalog.pg_proc f on f.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
      a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
    join pg_catalog.pg_language k on k.oid = f.prolang
    where a.aggfnoid = p.oid
  ) parts on p.prokind = 'a'
  where p.proname = any($1::text[])`
