import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { How } from './shapes/link.ts'
import type { ThingType } from './shapes/thing.ts'

export interface LinkTables {
  'links.links': {
    id: Generated<string>
    group_id: string
    from_type: ThingType
    from_id: string
    to_type: ThingType
    to_id: string
    relation: string
    how: How
    evidence: string
    confidence: number
    dismissed_at: ColumnType<Date | null, undefined, Date>
    created_by: string | null
    created_at: ColumnType<Date, never, never>
  }
  'links.cursors': { source: string; at: Date; id: string }
}

export type Db = Kysely<LinkTables>
/** Either: a query that may be part of a transaction. */
export type Queries = Db | Transaction<LinkTables>
export type LinkRow = Selectable<LinkTables['links.links']>
