import type { SchemaRelation } from '../contract.ts'
import type { Policy } from '../policy/policy.ts'

/**
 * What of a database's structure is shown under a policy: the one place that leaves something out. A key that leads
 * to a relation that is not shown would name it.
 */
export function visibleRelations(relations: readonly SchemaRelation[], _policy: Policy): SchemaRelation[] {
  const shown = new Set(relations.map(nameOf))
  return relations.map((relation) => ({
    ...relation,
    keys: relation.keys.filter(({ references }) => references === null || shown.has(nameOf(references))),
  }))
}

const nameOf = ({ schema, name }: { schema: string; name: string }): string => JSON.stringify([schema, name])
