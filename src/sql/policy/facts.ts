import { z } from 'zod'
import type { ClassifiedStatement, FoundName, FoundRelation } from '../classify/classification.ts'
import { functionsQuery, hiddenQuery } from './facts-queries.ts'
import type { FunctionFacts, HiddenReach } from './policy.ts'

/** Runs one query on the target database, under the agent's role, and returns its rows. */
export type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>

export interface Facts {
  /** By name without schema, so that every function of that name must pass. */
  functions: ReadonlyMap<string, FunctionFacts[]>
  hidden: HiddenReach[]
}

/** Everything `decide` has to know about the target database, in at most two queries. */
export async function readFacts(query: Query, statements: ClassifiedStatement[]): Promise<Facts> {
  const names = [...new Set(statements.flatMap(({ functions }) => functions.map(({ name }) => name)))]
  const functions = names.length === 0 ? [] : await readFunctions(query, names)
  return {
    functions: Map.groupBy(functions, ({ name }) => name),
    hidden: await readHidden(query, statements),
  }
}

const functionRow = z.object({
  schema: z.string(),
  name: z.string(),
  volatility: z.enum(['i', 's', 'v']),
  isSecurityDefiner: z.boolean(),
  language: z.string(),
})

const visibleRow = functionRow.extend({ isVisible: z.boolean() })

async function readFunctions(query: Query, names: string[]): Promise<FunctionFacts[]> {
  return z.array(visibleRow).parse(await query(functionsQuery, [names]))
}

/** How a name may lead to a function that the text does not call. */
type Way = 'relation' | 'target' | 'operator' | 'type' | 'attribute'

const hiddenRow = z.looseObject({
  way: z.enum(['relation', 'target', 'operator', 'type', 'attribute']),
  through: z.string(),
  isForeign: z.boolean(),
})

async function readHidden(query: Query, statements: ClassifiedStatement[]): Promise<HiddenReach[]> {
  const asked = statements.flatMap((statement) => [
    ...toAsk(
      'relation',
      statement.relations.filter(({ mode }) => mode === 'read'),
    ),
    ...toAsk('target', targets(statement)),
    ...toAsk('operator', statement.operators),
    ...toAsk('type', statement.types),
    ...toAsk('attribute', statement.attributes),
  ])
  if (asked.length === 0) return []
  const columns = [
    asked.map(({ way }) => way),
    asked.map(({ schema }) => schema),
    asked.map(({ name }) => name),
  ]
  const rows = z.array(hiddenRow).parse(await query(hiddenQuery, columns))
  return rows.map(({ way, through, isForeign, ...facts }) => {
    const position = asked.find((one) => one.way === way && one.name === through)?.position ?? 0
    return { through, position, calls: isForeign ? null : functionRow.parse(facts) }
  })
}

/** Definitions name relations without using them: DROP VIEW runs nothing of the view. */
const definition = /^(CREATE|ALTER|DROP|COMMENT|GRANT|REVOKE|SECURITY LABEL)\b/

function targets({ operations, relations }: ClassifiedStatement): FoundRelation[] {
  const isDefinition = operations.every(
    ({ name, inner }) => inner || definition.test(name) || name === 'SELECT',
  )
  return isDefinition ? [] : relations.filter(({ mode }) => mode === 'write')
}

/** Catalogs and information_schema belong to PostgreSQL: what is behind them is known. */
const systemSchemas = new Set<string | null>(['pg_catalog', 'information_schema'])

function toAsk(way: Way, names: readonly FoundName[]): (FoundName & { way: Way })[] {
  return names
    .filter(({ schema }) => !systemSchemas.has(schema))
    .map(({ name, schema, position }) => ({ way, name, schema, position }))
}
