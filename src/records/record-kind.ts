import { sql, type RawBuilder } from 'kysely'
import { notFound } from '#kernel/errors'
import type { Activity, Events } from '#kernel/events'
import {
  deleteRecord,
  findRecord,
  listRecords,
  lockRecord,
  updateRecord,
  type Db,
  type DbTransaction,
  type Page,
  type RecordRow,
  type RecordTable,
  type Values,
} from './record-store.ts'

/** Who changes a record. */
export interface Author {
  groupId: string
  userId: string | null
  /** The name of the person or of the API key. */
  name: string | null
}

export type Action = 'created' | 'changed' | 'deleted'
export type RecordActivity = Omit<Activity, 'groupId' | 'by'>

export interface PageQuery {
  limit: number
  cursor?: string | undefined
}

export interface KindSpec<Row, Change, Query> {
  table: RecordTable
  /** For messages: `The ticket`. */
  what: string
  conditions(query: Query, groupId: string): (RawBuilder<unknown> | undefined)[]
  /** The columns that a change sets. Throws when the change makes no sense. */
  apply(change: Change, before: Row, transaction: DbTransaction): Values<Row> | Promise<Values<Row>>
  activity(row: Row, action: Action): RecordActivity
  /** When what was reported happened, so that old records do not look new in the console; without it, now. */
  happenedAt?(row: Row): Date
}

export interface RecordDeps {
  db: Db
  events: Events
}

export interface RecordKind<Row, Input, Change, Query> {
  list(groupId: string, query: Query): Promise<Page<Row>>
  get(groupId: string, id: string): Promise<Row>
  /** `isNew`: false where a record with the same external ID was there and was changed. */
  create(author: Author, input: Input): Promise<{ row: Row; isNew: boolean }>
  change(author: Author, id: string, change: Change): Promise<Row>
  remove(author: Author, id: string): Promise<void>
  /** Reads a record that something else wrote; the result emits its event. One that is gone again has none. */
  announcement(db: Db, groupId: string, id: string, action: Action): Promise<(() => void) | undefined>
}

/** Everything that kinds of records do in the same way. Only how one is created differs. */
export function createRecordKind<Row extends RecordRow, Change extends object, Query extends PageQuery>(
  { db, events }: RecordDeps,
  { table, what, conditions, apply, activity, happenedAt }: KindSpec<Row, Change, Query>,
) {
  const emit = (row: Row, action: Action, by: string | null, at?: Date): void =>
    events.emit('activity', { groupId: row.group_id, by, ...activity(row, action) }, at)
  /** Of a record that was created or reported. */
  const tell = (row: Row, action: Action, by: string | null): void => emit(row, action, by, happenedAt?.(row))

  return {
    tell,
    list: (groupId: string, query: Query) =>
      listRecords<Row>(db, table, [sql`group_id = ${groupId}`, ...conditions(query, groupId)], query),

    async get(groupId: string, id: string): Promise<Row> {
      const row = await findRecord<Row>(db, table, groupId, id)
      if (!row) throw notFound(what)
      return row
    },

    async change(author: Author, id: string, change: Change): Promise<Row> {
      const match = sql`group_id = ${author.groupId} and id = ${id}`
      const { row, isChanged } = await db.transaction().execute(async (transaction) => {
        const before = await lockRecord<Row>(transaction, table, match)
        if (!before) throw notFound(what)
        if (Object.keys(change).length === 0) return { row: before, isChanged: false }
        const values = await apply(change, before, transaction)
        return { row: await updateRecord<Row>(transaction, table, id, values), isChanged: true }
      })
      if (isChanged) emit(row, 'changed', author.userId)
      return row
    },

    async remove(author: Author, id: string): Promise<void> {
      const row = await deleteRecord<Row>(db, table, author.groupId, id)
      if (!row) throw notFound(what)
      emit(row, 'deleted', author.userId)
    },

    async announcement(from: Db, groupId: string, id: string, action: Action) {
      const row = await findRecord<Row>(from, table, groupId, id)
      return row && (() => emit(row, action, null, action === 'created' ? happenedAt?.(row) : undefined))
    },
  }
}
