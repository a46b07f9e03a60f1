import { z } from 'zod'
import type { ClassifiedStatement } from '../classify/classification.ts'
import type { Query } from '../policy/fact-rows.ts'
import type { ReadCode } from '../policy/function-facts.ts'
import { codeQuery, reachQuery } from './reach-query.ts'

const reachedRow = z.object({
  way: z.enum(['read', 'insert', 'update', 'delete', 'write', 'cascade', 'parent', 'check']),
  through: z.string().nullable(),
  askedSchema: z.string().nullable(),
  isKin: z.boolean(),
  isBehind: z.boolean(),
  place: z.number().nullable(),
  oid: z.string(),
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
})

/** A relation that a statement reaches. */
export interface Reached extends z.infer<typeof reachedRow> {
  /** The function whose code reaches it. */
  by: string | null
  /** That function is, or is called by, a trigger: what it reads is returned to nobody. */
  isTrigger: boolean
}

export interface Reach {
  relations: Reached[]
  /** Functions that are called and whose tables cannot be known. */
  unknown: string[]
  /** Triggers, casts or operators may run code whose tables cannot be known. */
  hasUnread: boolean
}

export interface ReachSources {
  query: Query
  readCode: ReadCode
}

interface Asked {
  way: Reached['way']
  schema: string | null
  name: string | null
  oid: string | null
}

/** Functions that call functions: beyond this depth they are not read. */
const maxDepth = 4

/**
 * Everything that a statement reaches by PostgreSQL's own facts. `called`: functions that its text does not name; `casts`:
 * those that it may use.
 */
export async function reachOf(
  sources: ReachSources,
  statement: ClassifiedStatement,
  { called, casts }: { called: readonly string[]; casts: readonly string[] },
): Promise<Reach> {
  const code = codeIn(statement)
  const functions = [...code.functions, ...called]
  return follow(sources, { ...code, functions, casts, by: null, isTrigger: false, depth: 0 }, new Set())
}

interface Code {
  asked: Asked[]
  functions: readonly string[]
  operators: readonly string[]
  casts: readonly string[]
}

function codeIn(statement: ClassifiedStatement): Code {
  const { functions, fieldCalls, operators } = statement
  return {
    asked: askedIn(statement),
    // `(1).f` may be a call of `f`.
    functions: [...functions, ...fieldCalls].map(({ name }) => name),
    // Also those that PostgreSQL has too: one of users may have the same name.
    operators: operators.map(({ name }) => name),
    casts: [],
  }
}

/** Relations by their numbers, with what is behind them. */
export async function reachFrom(query: Query, oids: readonly string[]): Promise<Reached[]> {
  const asked = oids.map((oid) => ({ way: 'read', schema: null, name: null, oid }) as const)
  return ask(query, asked, { by: null, isTrigger: false })
}

async function follow(
  sources: ReachSources,
  step: Code & { depth: number } & By,
  seen: Set<string>,
): Promise<Reach> {
  const { by, isTrigger, depth } = step
  const relations = await ask(sources.query, step.asked, { by, isTrigger })
  const written = relations.filter(({ way }) => way !== 'read' && way !== 'parent' && way !== 'check')
  const code = await codeOf(
    sources.query,
    step,
    written.map(({ oid }) => oid),
  )
  const found: Reach = { relations, unknown: [], hasUnread: false }
  for (const { oid, definition, use, through } of code) {
    if (seen.has(oid)) continue
    seen.add(oid)
    const name = by ?? through
    const body = definition === null || depth >= maxDepth ? undefined : await read(sources, definition)
    // What triggers, casts and operators do that cannot be read is seen when they have run.
    if (body === undefined && use === 'call') found.unknown.push(name)
    if (body === undefined) {
      found.hasUnread = true
      continue
    }
    const further = { by: name, isTrigger: isTrigger || use === 'trigger', depth: depth + 1 }
    const next = await follow(sources, { ...codeIn(body), ...further }, seen)
    found.relations.push(...next.relations)
    found.unknown.push(...next.unknown)
    found.hasUnread ||= next.hasUnread
  }
  return found
}

/** Undefined: it cannot be read, or runs text as SQL. */
async function read(
  { readCode }: ReachSources,
  definition: string,
): Promise<ClassifiedStatement | undefined> {
  const [code] = await readCode(definition).catch(() => [])
  return code === undefined || code.dynamic.length > 0 ? undefined : code
}

function askedIn({ relations, operations }: ClassifiedStatement): Asked[] {
  const writes = new Set(operations.map(({ name }) => name).filter((name) => !reads.has(name)))
  const [only] = writes
  const write =
    writes.size === 1 && only !== undefined && only in ways ? ways[only as keyof typeof ways] : 'write'
  return relations.map(({ mode, schema, name }) => ({
    way: mode === 'read' ? 'read' : write,
    schema,
    name,
    oid: null,
  }))
}

const reads = new Set(['SELECT', 'EXPLAIN', 'SHOW'])
const ways = { INSERT: 'insert', UPDATE: 'update', DELETE: 'delete' } as const

type By = Pick<Reached, 'by' | 'isTrigger'>

async function ask(query: Query, asked: readonly Asked[], by: By): Promise<Reached[]> {
  if (asked.length === 0) return []
  const rows = await query(reachQuery, [
    asked.map(({ way }) => way),
    asked.map(({ schema }) => schema),
    asked.map(({ name }) => name),
    asked.map(({ oid }) => oid),
  ])
  return z
    .array(reachedRow)
    .parse(rows)
    .map((row) => ({ ...row, ...by }))
}

const codeRow = z.object({
  oid: z.string(),
  definition: z.string().nullable(),
  use: z.enum(['call', 'maybe', 'trigger']),
  through: z.string(),
})

async function codeOf(query: Query, { functions, casts, operators }: Code, written: readonly string[]) {
  if (functions.length + casts.length + operators.length + written.length === 0) return []
  return z.array(codeRow).parse(await query(codeQuery, [functions, written, casts, operators]))
}
