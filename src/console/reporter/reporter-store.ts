import type pg from 'pg'

export interface ReporterRow {
  public_id: string
  group_id: string
  origins: string[]
}

export async function findReporter(pool: pg.Pool, publicId: string): Promise<ReporterRow | undefined> {
  const { rows } = await pool.query<ReporterRow>(
    'select public_id, group_id, origins from console.reporters where public_id = $1',
    [publicId],
  )
  return rows[0]
}

export async function reporterOf(pool: pg.Pool, groupId: string): Promise<ReporterRow | undefined> {
  const { rows } = await pool.query<ReporterRow>(
    'select public_id, group_id, origins from console.reporters where group_id = $1',
    [groupId],
  )
  return rows[0]
}

/** A group that has a reporter keeps its id, which pages already use. */
export async function saveReporter(pool: pg.Pool, row: ReporterRow): Promise<ReporterRow | undefined> {
  const { rows } = await pool.query<ReporterRow>(
    `insert into console.reporters (public_id, group_id, origins) values ($1, $2, $3)
     on conflict (group_id) do update set origins = excluded.origins
     returning public_id, group_id, origins`,
    [row.public_id, row.group_id, row.origins],
  )
  return rows[0]
}

export async function deleteReporter(pool: pg.Pool, groupId: string): Promise<void> {
  await pool.query('delete from console.reporters where group_id = $1', [groupId])
}
