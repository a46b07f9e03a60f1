import type { SchemaRelation } from '#sql/contract'

/** A list of more is slow to draw and nobody reads it. */
export const maxShown = 300

/** Those with the text in their name or in the name of a column; names that begin with it first. */
export function matching(relations: readonly SchemaRelation[], filter: string): readonly SchemaRelation[] {
  const wanted = filter.trim().toLowerCase()
  if (wanted === '') return relations
  const has = (text: string): boolean => text.toLowerCase().includes(wanted)
  const rank = (relation: SchemaRelation): number => {
    if (relation.name.toLowerCase().startsWith(wanted)) return 0
    if (has(`${relation.schema}.${relation.name}`)) return 1
    return relation.columns.some(({ name }) => has(name)) ? 2 : 3
  }
  return relations
    .map((relation) => ({ relation, rank: rank(relation) }))
    .filter((each) => each.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ relation }) => relation)
}
