/** What a statement is good for in a workflow, by its grammar alone. Plain data: it leaves the parser's thread. */

/** The kinds of checks that a query can be: nulls, duplicates, references that lead nowhere. */
export type CheckKind = 'null' | 'duplicate' | 'foreign_key'

/**
 * A column that counts. `total`: all rows of the table; `present`: those where a column is not null; `distinct`:
 * different values; `problem`: rows that a check found; `other`: a label, or a number of another kind.
 */
export interface CountColumn {
  kind: 'total' | 'present' | 'distinct' | 'problem' | 'other'
  table: string | null
}

export interface QueryShape {
  /** Reads the system's own tables, such as `information_schema.columns`. */
  readsCatalog: boolean
  /** Tables that it reads, as they are written: `orders` or `public.orders`. */
  tables: string[]
  checks: CheckKind[]
  /** Tables whose rows are counted as a whole. */
  counted: string[]
  /** For a query that returns nothing but counts: what each column is. Null for any other. */
  columns: CountColumn[] | null
  /** Every row it returns is a problem that a check found. */
  rowsAreProblems: boolean
  /** Shows rows of a table as they are. */
  isSample: boolean
}

export interface StatementShape {
  /** Tables that it creates, changes or drops. */
  changes: string[]
  /** Tables of `changes` that are not there any more. */
  drops: string[]
  /** Running it twice does what running it once does. */
  isIdempotent: boolean
  /** Null for what is no query. */
  query: QueryShape | null
}
