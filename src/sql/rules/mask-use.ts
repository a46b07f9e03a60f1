import type { ClassifiedStatement, ColumnUse, Mention } from '../classify/classification.ts'
import { firstOf, verdict, type Verdict } from '../policy/verdict.ts'
import { maskedNames, type MaskedRelation } from './masked.ts'

/** A relation with masked columns, where a statement names it. */
export interface MaskedMention {
  mention: Mention
  relation: MaskedRelation
}

const needed = 'A statement without this column, or a grant that unmasks it for a time.'

const refuse = (position: number | null, what: string): Verdict =>
  verdict('masked_column', position, what, needed)

/**
 * What cannot be given a mask must not read a masked column: it would write the mask in place of the value, or reveal
 * the value by what it does. By the names alone, so a column of another table with the same name is refused too.
 */
export function refusalOfUse(
  statement: ClassifiedStatement,
  masked: readonly MaskedMention[],
): Verdict | undefined {
  if (masked.length === 0) return undefined
  return refusalOfDefinition(statement, masked) ?? refusalOfColumns(statement, masked)
}

function refusalOfColumns(
  { columns, rowNames }: ClassifiedStatement,
  masked: readonly MaskedMention[],
): Verdict | undefined {
  const names = new Set(masked.flatMap(({ relation }) => maskedNames(relation)))
  const open = new Set([
    ...systemColumns,
    ...masked.flatMap(({ relation }) => relation.columns.map(({ name }) => name)),
  ])
  const isTarget = masked.some(({ mention }) => mention.mode === 'write')
  const rows = new Set([
    ...masked.map(({ mention }) => mention.alias ?? mention.name),
    ...(isTarget ? ['old', 'new', 'excluded', ...rowNames.map(({ name }) => name)] : []),
  ])
  const tables = [...new Set(masked.map(({ relation }) => relation.table))].join(', ')
  return firstOf(columns, ({ name, of, position }: ColumnUse) => {
    if (names.has(name))
      return refuse(position, `${name} is masked in ${tables}, and this statement reads it.`)
    if (name === '*' || (of === null && rows.has(name)))
      return refuse(
        position,
        `${tables} has masked columns, and this statement reads columns without naming them.`,
      )
    // `u.to_jsonb` is a call with the whole row.
    if (of !== null && rows.has(of) && !open.has(name))
      return refuse(position, `${of}.${name} is no column of ${tables}, which has masked columns.`)
    return undefined
  })
}

const systemColumns = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']

/** Stored code would read the column later, under another name. */
const storing = /^CREATE (VIEW|MATERIALIZED VIEW|RULE|TRIGGER|POLICY|FUNCTION|PROCEDURE|STATISTICS)$/

/** Changes of a table that leave its masked columns what and where they are. Without its foreign key a column has no mask. */
const harmlessAlters = new Set(
  `AT_AddColumn AT_DropColumn AT_ColumnDefault AT_SetNotNull AT_DropNotNull AT_AddConstraint AT_ValidateConstraint
  AT_AddIdentity AT_SetIdentity AT_DropIdentity`.split(/\s+/),
)

function refusalOfDefinition(
  { operations, words, isRename, alters, from, mentions }: ClassifiedStatement,
  masked: readonly MaskedMention[],
): Verdict | undefined {
  const [first] = masked
  const table = first?.relation.table ?? ''
  const position = first?.mention.position ?? from
  if (isRename)
    return refuse(
      position,
      `${table} has masked columns, which are known by their names: nothing of it is renamed.`,
    )
  const stored = operations.find(({ name, inner }) => inner || storing.test(name))
  if (stored)
    return refuse(position, `${table} has masked columns, and ${stored.name} would store code that reads it.`)
  if (alters.length > 0 && mentions.some(({ mode }) => mode === 'write')) {
    // With one column of a key the whole key goes, and with it the mask of the others.
    const losesKey = masked.some(({ relation }) => relation.isByAnother)
    const change = alters.find(
      ({ name }) => !harmlessAlters.has(name) || (losesKey && name === 'AT_DropColumn'),
    )
    if (change)
      return refuse(position, `${table} has masked columns, which this change could reveal (${change.name}).`)
  }
  // A plain index says nothing about values.
  if (operations.every(({ name }) => name === 'CREATE INDEX')) return undefined
  const named = masked.flatMap(({ relation }) => maskedNames(relation)).find((name) => words.includes(name))
  if (named === undefined) return undefined
  return refuse(position, `${named} is masked in ${table}, and this statement names it.`)
}
