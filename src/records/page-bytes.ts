import { sql, type RawBuilder } from 'kysely'

/** A page ends before its texts have more bytes than this; the next one continues there. */
export const maxPageBytes = 8 * 1_024 * 1_024

/** Columns that may be long: Markdown, notes and JSON. */
const longColumns: readonly string[] = ['description', 'content', 'note', 'cause', 'metadata', 'run_result']

interface Ended {
  page_goes_on: boolean
}

/**
 * Of the rows that `newest` selects in this order, those that fit into a page, at least one. The database sums their
 * sizes without reading texts, so that a long row costs nothing unless it is returned.
 */
export function withinPage(
  newest: RawBuilder<unknown>,
  columns: readonly string[],
  order: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const sizes = columns
    .filter((column) => longColumns.includes(column))
    .map((column) => sql`coalesce(octet_length(${sql.ref(column)}::text), 0)`)
  const shown = sql.join(columns.map((column) => sql.ref(column)))
  return sql`
    with newest as (${newest}),
    sized as (
      select ${shown}, row_number() over (order by ${order}) as place,
        sum(${sizes.length === 0 ? sql`0` : sql.join(sizes, sql` + `)}) over (order by ${order}) as bytes
      from newest
    )
    select ${shown}, place < (select count(*) from newest) as page_goes_on from sized
    where place = 1 or bytes <= ${maxPageBytes} order by place`
}

/** The page of rows that `withinPage` selected; `newest` has one row more than wanted. */
export function endPage<Row extends object>(
  rows: readonly (Row & Ended)[],
  limit: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: shown.map(({ page_goes_on: _goesOn, ...row }) => row as unknown as Row),
    nextCursor: last?.page_goes_on ? cursorOf(last) : null,
  }
}
