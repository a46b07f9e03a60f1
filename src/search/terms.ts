import type pg from 'pg'

/** A word of a query as the index has it: other endings are the same, and a mistyped word has what it may mean. */
export interface Term {
  /** As it was typed, and what it may mean. */
  words: readonly string[]
  lexemes: readonly string[]
}

/** The words that are searched for: not those that every text has. */
export async function selectTerms(
  pool: pg.Pool,
  alternatives: readonly (readonly string[])[],
): Promise<Term[]> {
  if (alternatives.length === 0) return []
  const { rows } = await pool.query<{ lexemes: string[] }>(
    `select tsvector_to_array(to_tsvector('english', words)) as lexemes
     from unnest($1::text[]) with ordinality as given (words, place) order by place`,
    [alternatives.map((words) => words.join(' '))],
  )
  const terms = rows.map(({ lexemes }, index) => ({ words: alternatives[index] ?? [], lexemes }))
  return [...new Map(terms.map((term) => [term.lexemes.join(' '), term])).values()].filter(
    ({ lexemes }) => lexemes.length > 0,
  )
}

/** The share of the terms that are there. */
export function shareOf(terms: readonly Term[], lexemes: readonly string[]): number {
  const present = new Set(lexemes)
  const found = terms.filter((term) => term.lexemes.some((lexeme) => present.has(lexeme)))
  return terms.length === 0 ? 0 : found.length / terms.length
}

/** For `::tsquery`. */
export const withAll = (terms: readonly Term[]): string =>
  terms.map((term) => `(${withAny([term])})`).join(' & ')
export const withAny = (terms: readonly Term[]): string =>
  terms.flatMap(({ lexemes }) => lexemes.map(quoted)).join(' | ')

const quoted = (lexeme: string): string => `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`
