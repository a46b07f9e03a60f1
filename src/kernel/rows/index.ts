/** A row as JSON shows it: times are ISO text. */
export type RowJson<Row> = {
  [K in keyof Row]: Date extends Row[K] ? Exclude<Row[K], Date> | string : Row[K]
}

/** These columns of a row, so that one added later does not end up in a response; without them, all. */
export function rowJson<Row extends object, K extends keyof Row = keyof Row>(
  row: Row,
  columns: readonly K[] = Object.keys(row) as K[],
): RowJson<Pick<Row, K>> {
  const shown = columns.map((column) => {
    const value: unknown = row[column]
    return [column, value instanceof Date ? value.toISOString() : value]
  })
  return Object.fromEntries(shown) as RowJson<Pick<Row, K>>
}
