import type { RawBuilder } from 'kysely'
import type { ThingType } from '../shapes/thing.ts'

/**
 * How links of one kind are found. A rule is one question about both ends; which rows of an end have changed narrows it
 * down, so that it does not matter which end comes first. What only one end names is looked for from there.
 */
export interface Rule {
  from: ThingType
  to: ThingType
  relation: string
  how: 'exact' | 'inferred'
  /**
   * The ends whose changes are looked at, by their names in the query. The sweep finds what the change of another end
   * has added.
   */
  ends: { from?: string; to?: string }
  /** Selects group_id, from_id, to_id, evidence and, where it is inferred, confidence. */
  find(isChanged: RawBuilder<boolean>): RawBuilder<unknown>
}
