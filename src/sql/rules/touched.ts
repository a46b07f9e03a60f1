import { z } from 'zod'
import type { Query } from '../policy/fact-rows.ts'
import { Refusal } from '../refusal.ts'
import type { RuleFindings } from './apply.ts'
import { maskFacts } from './masked.ts'
import { lockedQuery } from './reach-query.ts'
import { reachFrom } from './reach.ts'
import { grantOfTable, refusedTable, type Rules } from './rules.ts'

const lockedRow = z.object({
  oid: z.string(),
  schema: z.string().nullable(),
  name: z.string().nullable(),
  isChecked: z.boolean(),
})

/**
 * Looks at what a statement has touched, by PostgreSQL's own locks, before anything of it is returned or committed:
 * triggers, casts and code that could not be read reach tables that nobody saw before. `inside` asks in the
 * transaction; `outside` sees the database as it was, without what the statement created.
 */
export async function refuseTouched(
  { inside, outside }: { inside: Query; outside: Query },
  rules: Rules,
  { known, checked }: Pick<RuleFindings, 'known' | 'checked'>,
): Promise<void> {
  const locked = z.array(lockedRow).parse(await inside(lockedQuery, []))
  const statistics = locked.find(({ schema }) => schema === 'pg_catalog')
  if (statistics)
    throw touched({ schema: 'pg_catalog', name: statistics.name ?? '' }, 'it holds values of tables')
  const others = locked
    .filter(({ oid, isChecked }) => !known.has(oid) && !(isChecked && checked.has(oid)))
    .map(({ oid }) => oid)
  if (others.length === 0) return
  // An index that was dropped leads to its table, which may be one that was judged.
  const reached = (await reachFrom(outside, others)).filter(
    ({ isBehind, oid }) => !isBehind && !known.has(oid),
  )
  for (const relation of reached) {
    const why = refusedTable(rules, relation, relation.isKin)
    if (why !== undefined && !grantOfTable(rules, relation)) throw touched(relation, why)
  }
  const { relations } = await maskFacts(outside, rules, reached)
  for (const relation of reached)
    if (relations.has(relation.oid)) throw touched(relation, 'it has masked columns')
}

const touched = ({ schema, name }: { schema: string; name: string }, why: string): Refusal =>
  new Refusal(
    'table_touched',
    `While it ran, the statement reached ${schema}.${name}, and ${why}. It was rolled back (rule table_touched).`,
  )
