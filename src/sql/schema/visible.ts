import type { SchemaRelation } from '../contract.ts'
import { grantOfTable, refusedTable, type Rules } from '../rules/rules.ts'

/**
 * What of a database's structure is shown under the rules: the one place that leaves something out. A key that leads
 * to a relation that is not shown would name it.
 */
export function visibleRelations(relations: readonly SchemaRelation[], rules: Rules): SchemaRelation[] {
  const visible = relations.filter((each) => isVisible(rules, each))
  const shown = new Set(visible.map(nameOf))
  return visible.map((relation) => ({
    ...relation,
    keys: relation.keys.filter(({ references }) => references === null || shown.has(nameOf(references))),
  }))
}

const isVisible = (rules: Rules, { schema, name }: SchemaRelation): boolean =>
  refusedTable(rules, { schema, name }, false) === undefined ||
  grantOfTable(rules, { schema, name }) !== undefined

const nameOf = ({ schema, name }: { schema: string; name: string }): string => JSON.stringify([schema, name])
