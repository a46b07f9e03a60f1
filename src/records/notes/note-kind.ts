import { sql, type RawBuilder } from 'kysely'
import { Fault, faults } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import {
  createRecordKind,
  type Author,
  type KindSpec,
  type PageQuery,
  type RecordDeps,
  type RecordKind,
} from '../record-kind.ts'
import { equals, insertRecord, within, type Values, type Db } from '../record-store.ts'

interface NoteRow {
  id: string
  group_id: string
}

interface NoteInput {
  service_id?: string | null | undefined
  author?: string | null | undefined
  created_at?: string | undefined
  group_id?: string | undefined
}

interface NoteQuery extends PageQuery {
  tag?: string | undefined
  author_kind?: string | undefined
  service_id?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

interface NoteSpec<Row, Query> extends Omit<KindSpec<Row, never, Query>, 'apply'> {
  hasService: boolean
  /** What two notes of a group cannot have in common. */
  taken?(row: Values<Row>): string
}

interface NoteKind<Row, Input, Change, Query> extends RecordKind<Row, Input, Change, Query> {
  /** Undefined: there is one with this ID, or with what two cannot have in common. */
  addOnce(author: Author, input: Input & { id?: string }): Promise<Row | undefined>
}

/** Markdown by a person or by a program: devlogs, skills and learnings. */
export function createNoteKind<
  Row extends NoteRow,
  Input extends NoteInput,
  Change extends NoteInput,
  Query extends NoteQuery,
>(deps: RecordDeps, spec: NoteSpec<Row, Query>): NoteKind<Row, Input, Change, Query> {
  const { db } = deps
  const takenFault = (values: Values<Row>): Fault =>
    new Fault(faults.conflict, spec.taken?.(values) ?? `${spec.what} already exists.`)
  const kind = createRecordKind<Row, Change, Query>(deps, {
    ...spec,
    conditions: (query, groupId) => [
      ...spec.conditions(query, groupId),
      query.tag === undefined ? undefined : sql`tags @> ${[query.tag]}`,
      equals('author_kind', query.author_kind),
      ofService(groupId, query.service_id),
      ...within('created_at', query),
    ],
    async apply(change, before, transaction) {
      const service = await serviceOf(transaction, before.group_id, change.service_id)
      return { ...change, ...(service !== undefined && { service }) } as unknown as Values<Row>
    },
  })

  async function valuesOf(author: Author, input: Input & { id?: string }): Promise<Values<Row>> {
    const { group_id: _chosen, id = newId(), ...fields } = input
    const service = spec.hasService
      ? ((await serviceOf(db, author.groupId, input.service_id)) ?? null)
      : undefined
    return {
      ...fields,
      id,
      group_id: author.groupId,
      author: input.author === undefined ? author.name : input.author,
      created_at: input.created_at === undefined ? new Date() : new Date(input.created_at),
      ...(service !== undefined && { service }),
    } as unknown as Values<Row>
  }

  async function inserted(author: Author, values: Values<Row>): Promise<Row | undefined> {
    const row = await insertRecord<Row>(db, spec.table, values)
    if (row) kind.tell(row, 'created', author.userId)
    return row
  }

  return {
    ...kind,
    addOnce: async (author, input) => inserted(author, await valuesOf(author, input)),
    async create(author, input) {
      const values = await valuesOf(author, input)
      const row = await inserted(author, values)
      if (!row) throw takenFault(values)
      return { row, isNew: true }
    },
    async change(author, id, change) {
      return kind.change(author, id, change).catch((error: unknown) => {
        throw (error as { code?: string }).code === '23505'
          ? takenFault(change as unknown as Values<Row>)
          : error
      })
    },
  }
}

function ofService(groupId: string, word: string | undefined): RawBuilder<unknown> | undefined {
  if (word === undefined) return undefined
  return sql`(service_id = ${word} or service = ${word} or service = (
    select s.name from records.services s where s.group_id = ${groupId} and s.id::text = ${word.toLowerCase()}))`
}

/** The name of the service that an ID or a name means; otherwise the word itself, such as the ID of an agent. */
async function serviceOf(
  db: Db,
  groupId: string,
  word: string | null | undefined,
): Promise<string | null | undefined> {
  if (word === null || word === undefined) return word
  const { rows } = await sql<{ name: string }>`
    select name from records.services
    where group_id = ${groupId} and (id::text = ${word.toLowerCase()} or name = ${word})`.execute(db)
  return rows[0]?.name ?? word
}
