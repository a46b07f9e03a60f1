import { z } from 'zod'

/** Patterns of rules: names with `*` for any characters, and points between them. Browser-safe. */

const part = String.raw`[^\s.:"]{1,63}`

const pattern = (parts: number, message: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${part}(\\.${part}){0,${parts - 1}}$`), message)

export const tablePattern = pattern(2, 'must be a name such as users, billing.invoices or billing.*')
export const columnPattern = pattern(3, 'must be a name such as email, users.email or billing.*.iban')

const tag = /^tag:([A-Za-z0-9_-]{1,40})$/

/** A column, or a word in the comments of columns. */
export const maskPattern = z.union(
  [z.string().trim().regex(tag, 'must be a tag such as tag:pii'), columnPattern],
  'must be a name such as email, users.email or billing.*.iban, or a tag such as tag:pii',
)

export interface TableName {
  schema: string
  name: string
}

export interface ColumnName {
  schema: string
  table: string
  column: string
  comment: string | null
}

/** Case does not count: a rule that denies `users` denies "Users" too. */
export const isForbiddenBy = (pattern: string, { schema, name }: TableName): boolean =>
  matches(pattern.toLowerCase(), [schema.toLowerCase(), name.toLowerCase()])

/** Case counts: a rule that allows `users` does not allow "Users". */
export const isAllowedBy = (pattern: string, { schema, name }: TableName): boolean =>
  matches(pattern, [schema, name])

export function isMaskedBy(pattern: string, { schema, table, column, comment }: ColumnName): boolean {
  const word = tag.exec(pattern)?.[1]
  if (word === undefined)
    return matches(
      pattern.toLowerCase(),
      [schema, table, column].map((name) => name.toLowerCase()),
    )
  return (comment ?? '')
    .toLowerCase()
    .split(/[^\w@-]+/)
    .includes(`@${word.toLowerCase()}`)
}

/** Parts that a pattern leaves out stand for any. */
function matches(pattern: string, names: readonly string[]): boolean {
  const parts = pattern.split('.').toReversed()
  return parts.every((part, at) => fits(part, names.at(-1 - at) ?? ''))
}

/** Pieces between stars are looked for from left to right, so no pattern takes long. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
