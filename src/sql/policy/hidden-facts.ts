import { z } from 'zod'
import type { ClassifiedStatement, FoundName, FoundRelation } from '../classify/classification.ts'
import { functionRow, type Query } from './fact-rows.ts'
import { hiddenQuery } from './hidden-query.ts'
import type { HiddenReach } from './policy.ts'

/** How a name may lead to a function that the text does not call. */
type Way = 'relation' | 'target' | 'operator' | 'type' | 'attribute'

const hiddenRow = z.looseObject({
  reach: z.enum(['function', 'cast', 'foreign', 'rule', 'catalog']),
  way: z.string(),
  through: z.string(),
  definition: z.string().nullable(),
})

/** With the code of volatile functions, which may turn out to be harmless. */
export type FoundReach = HiddenReach & { definition: string | null; isImplicit: boolean }

/** What names in the statements lead to, without a call in the text. */
export async function findHidden(query: Query, statements: ClassifiedStatement[]): Promise<FoundReach[]> {
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
  if (asked.length === 0 && statements.every(({ functions }) => functions.length === 0)) return []
  const columns = [
    asked.map(({ way }) => way),
    asked.map(({ schema }) => schema),
    asked.map(({ name }) => name),
  ]
  const rows = z.array(hiddenRow).parse(await query(hiddenQuery, columns))
  return rows.map(({ reach, way, through, definition, ...facts }) => {
    const position = asked.find((one) => one.way === way && one.name === through)?.position ?? 0
    const calls = reach === 'function' || reach === 'cast' ? functionRow.parse(facts) : null
    return { reach, through, position, calls, definition, isImplicit: way === 'implicit cast' }
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
