import type pg from 'pg'

export type Queryable = Pick<pg.Pool, 'query'>

/** The only row of a query of sums. */
export function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A query of sums returned no row')
  return row
}

/**
 * Times of records have milliseconds, so this is exact. `extract` would be too, but its decimal number is converted by
 * way of text, which takes longer than everything else that is done with a record.
 */
export const secondsBetween = (from: string, to: string): string =>
  `round(date_part('epoch', ${to} - ${from}) * 1000) / 1000`
