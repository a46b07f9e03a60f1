import type { SchemaRelation } from '#sql/contract'
import { quoted, relationName } from './quote-name.ts'

export interface Suggestion {
  label: string
  /** What is written, where it is not the label. */
  apply?: string
  type: 'table' | 'view' | 'column' | 'schema'
  detail?: string
  /** Above others that fit as well. */
  boost?: number
}

export interface Suggestions {
  /** Where the word begins that they complete. */
  from: number
  options: Suggestion[]
  /** After a dot: they are shown before the first letter. */
  isQualified: boolean
}

const name = String.raw`(?:"(?:[^"]|"")*"|[A-Za-z_][\w$]*)`
const wordBefore = new RegExp(String.raw`(?:(${name})\.)?("?[\w$]*)$`)
/** `from orders o`, `join sales.orders as o`, `insert into orders`. What may be an alias may also be the next `from`. */
const mention = new RegExp(
  String.raw`\b(?:from|join|update|into|,)\s+(?:(${name})\.)?(${name})(?:(?=\s+(?:as\s+)?(${name}))|)`,
  'gi',
)

/** What the structure of the database offers at a place in the text: tables, their columns, schemas. */
export function suggestionsAt(
  relations: readonly SchemaRelation[],
  text: string,
  position: number,
): Suggestions {
  const [, qualifier, word = ''] = wordBefore.exec(text.slice(Math.max(0, position - 200), position)) ?? []
  const from = position - word.length
  const mentioned = mentionedIn(relations, text)
  if (qualifier !== undefined) {
    const plain = unquoted(qualifier)
    const ofSchema = relations.filter(({ schema }) => schema === plain)
    const meant = mentioned.get(plain) ?? relations.filter((relation) => relation.name === plain)
    const options = [...meant.flatMap(columnsOf), ...ofSchema.map((each) => tableOf(each, quoted(each.name)))]
    return { from, options: unique(options), isQualified: true }
  }
  const columns = [...new Set(mentioned.values().toArray().flat())].flatMap(columnsOf)
  const schemas = [...new Set(relations.map(({ schema }) => schema))]
  return {
    from,
    options: unique([
      ...columns.map((each) => ({ ...each, boost: 2 })),
      ...relations.map((each) => ({ ...tableOf(each, relationName(each)), boost: 1 })),
      ...schemas.map((schema) => ({ label: schema, apply: quoted(schema), type: 'schema' as const })),
    ]),
    isQualified: false,
  }
}

/** The relations of the text, by the names and aliases that stand for them. */
function mentionedIn(
  relations: readonly SchemaRelation[],
  text: string,
): Map<string, readonly SchemaRelation[]> {
  const found = new Map<string, readonly SchemaRelation[]>()
  for (const [, schema, relation = '', alias] of text.slice(0, 100_000).matchAll(mention)) {
    const meant = relations.filter(
      (each) =>
        each.name === unquoted(relation) && (schema === undefined || each.schema === unquoted(schema)),
    )
    if (meant.length === 0) continue
    found.set(unquoted(relation), meant)
    if (alias !== undefined) found.set(unquoted(alias), meant)
  }
  return found
}

const columnsOf = ({ columns }: SchemaRelation): Suggestion[] =>
  columns.map(({ name: label, type }) => ({ label, apply: quoted(label), type: 'column', detail: type }))

const tableOf = ({ name: label, schema, kind }: SchemaRelation, apply: string): Suggestion => ({
  label,
  apply,
  type: kind === 'view' || kind === 'materialized_view' ? 'view' : 'table',
  detail: schema,
})

function unique(options: Suggestion[]): Suggestion[] {
  const byText = new Map(options.map((each) => [`${each.type} ${each.apply}`, each]))
  return [...byText.values()]
}

/** As PostgreSQL reads it: without quotes, a name is in small letters. */
const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()
