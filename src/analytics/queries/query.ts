import type pg from 'pg'

export type Queryable = Pick<pg.Pool, 'query'>

/** The only row of a query of sums. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A query of sums returned no row')
  return row
}
