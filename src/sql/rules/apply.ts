import type { ClassifiedStatement, Kind } from '../classify/classification.ts'
import { isUserCode } from '../policy/functions.ts'
import type { HiddenReach } from '../policy/policy.ts'
import { firstOf, verdict, type Verdict } from '../policy/verdict.ts'
import { refusalOfForm } from './forms.ts'
import { maskFacts, maskedNames, type MaskFacts } from './masked.ts'
import { refusalOfUse, type MaskedMention } from './mask-use.ts'
import { reachOf, type Reach, type Reached, type ReachSources } from './reach.ts'
import { replacement, type Edit } from './replace.ts'
import { grantOfTable, refusedTable, type Rules } from './rules.ts'

export interface RuleInput {
  statements: readonly ClassifiedStatement[]
  kind: Kind
  /** What the statements call without naming it. */
  hidden: readonly HiddenReach[]
  /** A statement of ours that restores rows: it compares them as a whole and returns nothing. */
  isUndo: boolean
}

/** What the rules by table and column make of a call. */
export interface RuleFindings {
  refusal: Verdict | undefined
  /** Masked columns that take part: `users.email`. */
  masked: string[]
  grants: string[]
  /** Of the only statement of a query. */
  edits: Edit[]
  /** Relations that were judged, and those that foreign keys only look at. */
  known: Set<string>
  checked: Set<string>
  /** Tables with masked columns among them. */
  tables: Set<string>
  /** A write that reaches one of them, so a constant of it may be the value of a masked column. */
  maySetMasked: boolean
  /** Code that cannot be read may reach more. */
  hasUnread: boolean
}

export const noFindings = (): RuleFindings => ({
  refusal: undefined,
  masked: [],
  grants: [],
  edits: [],
  known: new Set(),
  checked: new Set(),
  tables: new Set(),
  maySetMasked: false,
  hasUnread: false,
})

export async function applyRules(
  sources: ReachSources,
  rules: Rules,
  { statements, kind, hidden, isUndo }: RuleInput,
): Promise<RuleFindings> {
  const found = noFindings()
  const code = hidden.filter(({ calls }) => calls && isUserCode(calls))
  const namesOf = (isCast: boolean): string[] =>
    code.flatMap(({ calls, reach }) => (calls && (reach === 'cast') === isCast ? [calls.name] : []))
  const unnamed = { called: namesOf(false), casts: namesOf(true) }
  for (const statement of statements) {
    const reach = await reachOf(sources, statement, unnamed)
    const masks = await maskFacts(sources.query, rules, reach.relations)
    for (const { oid, way } of reach.relations) (way === 'check' ? found.checked : found.known).add(oid)
    for (const { table } of masks.relations.values()) found.tables.add(table)
    found.hasUnread ||= reach.hasUnread
    const masked = mentionsOf(statement, reach, masks)
    const isQuery = kind === 'execute' && statement.isQuery && statement.isReadOnly
    found.maySetMasked ||=
      !isQuery && reach.relations.some(({ oid, way }) => way !== 'check' && hasMasks(masks, oid))
    found.refusal ??=
      refusalOfForm(statement, rules) ??
      refusalOfTables(statement, reach, rules, found) ??
      refusalOfViews(statement, reach, masks) ??
      refusalOfCascade(statement, reach, masks) ??
      (isQuery ? refusalOfPlace(masked) : isUndo ? undefined : refusalOfUse(statement, masked))
    found.masked.push(
      ...masked.flatMap(({ relation }) => maskedNames(relation).map((name) => `${relation.table}.${name}`)),
    )
    found.grants.push(...masks.grants)
    if (isQuery)
      found.edits = masked
        .map((each) => editOf(statement, each))
        .toSorted((one, other) => one.from - other.from)
  }
  const unique = <T>(values: T[]): T[] => [...new Set(values)]
  return { ...found, masked: unique(found.masked).sort(), grants: unique(found.grants) }
}

const hasMasks = ({ relations, views }: MaskFacts, oid: string): boolean =>
  relations.has(oid) || views.has(oid)

const placeOf = (
  { relations, functions, from }: ClassifiedStatement,
  { through, by }: Pick<Reached, 'through' | 'by'>,
) =>
  (by === null ? relations.find(({ name }) => name === through) : functions.find(({ name }) => name === by))
    ?.position ?? from

function refusalOfTables(
  statement: ClassifiedStatement,
  { relations, unknown }: Reach,
  rules: Rules,
  found: RuleFindings,
): Verdict | undefined {
  const [name] = unknown
  if (name !== undefined)
    return verdict(
      'function_tables_unknown',
      placeOf(statement, { through: null, by: name }),
      `Which tables ${name}() reads cannot be known, and there are rules by table or column here.`,
      'A statement without it.',
    )
  return (
    refusalOfNew(statement, relations, rules) ??
    firstOf(relations, (reached) => {
      if (reached.way === 'check') return undefined
      const why = refusedTable(rules, reached, reached.isKin)
      if (why === undefined) return undefined
      const grant = grantOfTable(rules, reached)
      if (grant) found.grants.push(grant.id)
      return grant ? undefined : refusalOfTable(statement, reached, why)
    })
  )
}

/** A table that is not there yet: its name must be an allowed one, for the next statement would not reach it. */
function refusalOfNew(
  statement: ClassifiedStatement,
  reached: readonly Reached[],
  rules: Rules,
): Verdict | undefined {
  return firstOf(statement.relations, ({ name, schema, mode, position }) => {
    if (mode === 'read' || reached.some(({ through }) => through === name)) return undefined
    const table = { schema: schema ?? 'public', name }
    const why = refusedTable(rules, table, false)
    if (why === undefined || grantOfTable(rules, table)) return undefined
    return verdict(
      'table_not_allowed',
      position,
      `The statement names ${name}, and ${why}.`,
      'Another name, another list of tables in the policy, or a grant for a time.',
    )
  })
}

function refusalOfTable(statement: ClassifiedStatement, reached: Reached, why: string): Verdict {
  const table = `${reached.schema}.${reached.name}`
  return verdict(
    'table_not_allowed',
    placeOf(statement, reached),
    `The statement reaches ${table}${byWhich(reached)}, and ${why}.`,
    `A statement without ${table}, another list of tables in the policy, or a grant for a time.`,
  )
}

function byWhich({ by, through, name, way }: Reached): string {
  if (by !== null) return ` through ${by}()`
  if (way === 'cascade') return ` by a foreign key to ${through}`
  return through === null || through === name ? '' : ` through ${through}`
}

/** Views that show a masked column under any name, and code that reads a table with one. */
function refusalOfViews(
  statement: ClassifiedStatement,
  { relations }: Reach,
  { relations: masked, views }: MaskFacts,
): Verdict | undefined {
  return firstOf(relations, (reached) => {
    const { oid, by, way, name, isBehind, isKin } = reached
    if (way === 'check' || way === 'parent' || reached.isTrigger) return undefined
    const column = views.get(oid)
    if (column !== undefined)
      return hiddenBy('masked_view', placeOf(statement, reached), `${name} is a view that reads ${column}`)
    const relation = masked.get(oid)
    if (relation === undefined) return undefined
    const [first] = maskedNames(relation)
    if (by !== null)
      return hiddenBy(
        'masked_function',
        placeOf(statement, reached),
        `${by}() reaches ${name}, and ${first} of it`,
      )
    const isWritten = way !== 'read' && way !== 'cascade'
    if (isWritten && isBehind && !isKin)
      return hiddenBy(
        'masked_view',
        placeOf(statement, reached),
        `A view leads to ${name}, and ${first} of it`,
      )
    return undefined
  })
}

/** `DROP TABLE users CASCADE` leaves the values in columns whose foreign keys it takes away, and so their masks. */
function refusalOfCascade(
  statement: ClassifiedStatement,
  { relations }: Reach,
  { relations: masked }: MaskFacts,
): Verdict | undefined {
  if (!statement.words.includes('DROP_CASCADE')) return undefined
  return firstOf(relations, (reached) =>
    masked.has(reached.oid) && !reached.isTrigger
      ? verdict(
          'masked_column',
          placeOf(statement, reached),
          `${reached.name} has masked columns, and CASCADE could take away the keys by which they are known.`,
          'A statement without CASCADE.',
        )
      : undefined,
  )
}

const hiddenBy = (rule: string, position: number, what: string): Verdict =>
  verdict(
    rule,
    position,
    `${what}, which is masked.`,
    'The table itself, or a grant that unmasks the column for a time.',
  )

/** The relations with masked columns, at every place where the statement names one. */
function mentionsOf(statement: ClassifiedStatement, { relations }: Reach, masks: MaskFacts): MaskedMention[] {
  return statement.mentions.flatMap((mention) => {
    const meant = relations.filter(
      ({ by, isBehind, isKin, through, askedSchema }) =>
        by === null && !isBehind && !isKin && through === mention.name && askedSchema === mention.schema,
    )
    // The first of the search path is meant.
    const [first] = meant.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0))
    const relation = first && masks.relations.get(first.oid)
    return relation ? [{ mention, relation }] : []
  })
}

function refusalOfPlace(masked: readonly MaskedMention[]): Verdict | undefined {
  const odd = masked.find(({ mention }) => mention.to === null)
  return odd && notReplaced(odd.mention.position)
}

/** The query is written in a way in which the mask has no place. */
export const notReplaced = (position: number | null): Verdict =>
  verdict(
    'mask_not_possible',
    position,
    'The table has masked columns, and cannot be given masks where it is named like this.',
    'SELECT … FROM the table, by its plain name: without TABLE, ONLY and TABLESAMPLE.',
  )

const editOf = ({ from }: ClassifiedStatement, { mention, relation }: MaskedMention): Edit => ({
  from: mention.position - from,
  to: (mention.to ?? mention.position) - from,
  text: replacement(mention, relation),
})
