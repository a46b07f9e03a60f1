import type { ClassifiedStatement } from '../classify/classification.ts'
import { verdict, type Verdict } from '../policy/verdict.ts'
import type { Rules } from './rules.ts'

/** Statements that rules by table and column do not allow, whatever they name. */
export function refusalOfForm(statement: ClassifiedStatement, rules: Rules): Verdict | undefined {
  const { relations, operations, dynamic, words } = statement
  const statistics = relations.find(showsValues)
  if (statistics)
    return verdict(
      'statistics',
      statistics.position,
      `${statistics.name} holds values of tables, and there are rules by table or column here.`,
      'The table itself.',
    )
  const moved = operations.find(({ name }) => name === 'ALTER SCHEMA' || name === 'ALTER ROLE')
  if (moved)
    return verdict(
      'names_moved',
      moved.position,
      `After ${moved.name} names would lead elsewhere, and there are rules by table or column here.`,
      'A person who does it outside the proxy.',
    )
  const sent = operations.find(({ name }) => /^(CREATE|ALTER) (PUBLICATION|SUBSCRIPTION)$/.test(name))
  if (sent)
    return verdict(
      'rows_sent',
      sent.position,
      `${sent.name} sends whole rows to other servers, and there are rules by table or column here.`,
      'A person who does it outside the proxy.',
    )
  const [unknown] = dynamic
  if (unknown)
    return verdict(
      'tables_unknown',
      unknown.position,
      `Which tables this reaches shows only at run time (${unknown.name}), and there are rules by table or column here.`,
      'A statement that names its tables.',
    )
  if (rules.masks.length === 0) return undefined
  const code = operations.find(({ name }) => /^(CREATE|ALTER) (FUNCTION|PROCEDURE|ROUTINE)$/.test(name))
  if (code && words.includes('trigger'))
    return verdict(
      'masked_column',
      code.position,
      'The code of a trigger sees whole rows, and columns are masked here.',
      'A person who does it outside the proxy.',
    )
  const comment = operations.find(({ name }) => name === 'COMMENT')
  if (comment && words.includes('OBJECT_COLUMN') && rules.masks.some((mask) => mask.startsWith('tag:')))
    return verdict(
      'masked_column',
      comment.position,
      'Comments of columns say which of them are masked here.',
      'A person who does it outside the proxy.',
    )
  return undefined
}

/** The most common values of columns, and files of large values. */
function showsValues({ schema, name }: { schema: string | null; name: string }): boolean {
  if (schema === 'pg_toast') return true
  return (schema === null || schema === 'pg_catalog') && /^pg_stats($|_ext)/.test(name)
}
