import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Part } from '#kernel/part'
import { costOf, type CostSources } from './cost.ts'
import { createDetails } from './details.ts'
import { createInitiatives, whole } from './initiatives.ts'
import type { Initiative } from './contract.ts'
import { routes } from './routes/index.ts'
import type { InitiativeExtras } from './routes/initiatives.ts'
import { createSearchKinds } from './search-kinds.ts'
import type { InitiativeTables } from './tables.ts'
import { createWriter, type InitiativeWriter } from './writer.ts'

export { authorOf, type Author } from './author.ts'
export type { Approved, InitiativeWriter } from './writer.ts'
export type { InitiativeExtras } from './routes/initiatives.ts'

export interface InitiativesDeps {
  database: Database
  events: Events
  extras: InitiativeExtras
  costSources: CostSources
}

export interface InitiativesPart extends Part {
  writer: InitiativeWriter
  /** Which one it is, by ID or slug. Throws `not_found` outside the group. */
  find(
    groupId: string,
    idOrSlug: string,
  ): Promise<{ id: string; slug: string; title: string; created_at: Date }>
  /** The whole of one, by ID or slug. Throws `not_found` outside the group. */
  get(groupId: string, idOrSlug: string): Promise<Initiative>
}

/**
 * Initiatives: criteria with confidence, findings, open questions, decisions and approved documents.
 *
 * @example
 * const initiatives = createInitiativesPart({ ...kernel, extras, costSources })
 * const { criteria } = await initiatives.get(groupId, 'faster-checkout')
 */
export function createInitiativesPart({
  database,
  events,
  extras,
  costSources,
}: InitiativesDeps): InitiativesPart {
  const db = database.tables<InitiativeTables>()
  const initiatives = createInitiatives({ db, events })
  return {
    name: 'initiatives',
    role: 'platform',
    writer: createWriter(db),
    find: initiatives.find,
    get: async (groupId, idOrSlug) => whole(db, await initiatives.find(groupId, idOrSlug)),
    searchKinds: createSearchKinds(db),
    routes: (app) =>
      routes(app, {
        initiatives,
        details: createDetails(db),
        extras,
        costOf: (initiative) => costOf(db, costSources, initiative),
      }),
  }
}
