import { escapeIdentifier } from 'pg'
import type { ClassifiedStatement, Mention } from '../classify/classification.ts'
import type { MaskedRelation, RelationColumn } from './masked.ts'

/** A part of a statement, from its beginning, and what stands in its place. */
export interface Edit {
  from: number
  to: number
  text: string
}

const maskText = '•••'

/**
 * In place of a relation: a query of it in which masked columns are constants, in the same order and under the same name.
 * Whatever the statement does with them, it sees the mask.
 */
export function replacement({ alias, name }: Mention, { schema, table, columns }: MaskedRelation): string {
  const list = columns.map((column) =>
    column.isMasked
      ? `${constant(column)} as ${escapeIdentifier(column.name)}`
      : escapeIdentifier(column.name),
  )
  const query = `(select ${list.join(', ')} from ${escapeIdentifier(schema)}.${escapeIdentifier(table)})`
  return alias === null ? `${query} as ${escapeIdentifier(name)}` : query
}

const constant = ({ isText, type }: RelationColumn): string =>
  isText ? `'${maskText}'::pg_catalog.text` : `null::${type}`

export function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const { from, to, text: inserted } of edits) {
    result += text.slice(at, from) + inserted
    at = to
  }
  return result + text.slice(at)
}

/** The parts of the edited text that were inserted. */
function insertedParts(edits: readonly Edit[]): { from: number; to: number }[] {
  let shift = 0
  return edits.map((edit) => {
    const from = edit.from + shift
    shift += edit.text.length - (edit.to - edit.from)
    return { from, to: from + edit.text.length }
  })
}

/** From a place in the edited text to the place in the text that was given. */
export function placeBefore(position: number, edits: readonly Edit[]): number {
  let shift = 0
  for (const [index, { from, to }] of insertedParts(edits).entries()) {
    const edit = edits[index]
    if (edit === undefined || position < from) break
    if (position < to) return edit.from
    shift += edit.text.length - (edit.to - edit.from)
  }
  return position - shift
}

/** Whether the edited text is the same query, with nothing but the edits in the place of what they replace. */
export function isSound(
  before: ClassifiedStatement,
  after: readonly ClassifiedStatement[],
  edits: readonly Edit[],
): boolean {
  const [statement, ...others] = after
  if (!statement || others.length > 0 || !statement.isQuery || !statement.isReadOnly) return false
  const parts = insertedParts(edits)
  const isInserted = ({ position }: Mention): boolean =>
    parts.some(({ from, to }) => position >= from && position < to)
  return (
    statement.mentions.length === before.mentions.length &&
    statement.mentions.filter(isInserted).length === edits.length
  )
}
