import type pg from 'pg'

export interface ErrorRow {
  id: string
  group_id: string
  service: string | null
  source: string
  title: string
  message: string
}

/** The longest beginning of a message that says something else than the rest of it. */
const maxText = 2_000

/** Errors of every group with ids in a range, oldest first. Only errors have an index that leaves the others out. */
export async function readErrors(
  pool: pg.Pool,
  range: { after: string; before: string },
  limit: number,
): Promise<ErrorRow[]> {
  const { rows } = await pool.query<ErrorRow>(
    `select id, group_id, service, source, title, left(message, ${maxText}) as message from console.events
     where severity >= 4 and id > $1 and id < $2 order by id limit $3`,
    [range.after, range.before, limit],
  )
  return rows
}
