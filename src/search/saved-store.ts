import type pg from 'pg'

/** Searches that a person keeps, in a schema of their own: backups leave out the index. */

export interface SavedRow {
  id: string
  name: string
  query: string
  kinds: string[]
  created_at: Date
}

/** The person and the group that saved searches belong to. */
export interface Owner {
  userId: string
  groupId: string
}

const columns = 'id, name, query, kinds, created_at'

export async function listSaved(pool: pg.Pool, { userId, groupId }: Owner): Promise<SavedRow[]> {
  const { rows } = await pool.query<SavedRow>(
    `select ${columns} from searches.saved where user_id = $1 and group_id = $2 order by lower(name), id`,
    [userId, groupId],
  )
  return rows
}

/** Replaces the one of the same name. Undefined: the person has as many as one may have. */
export async function saveSearch(
  pool: pg.Pool,
  { userId, groupId }: Owner,
  { name, query, kinds }: Pick<SavedRow, 'name' | 'query'> & { kinds: readonly string[] },
  max: number,
): Promise<SavedRow | undefined> {
  const { rows } = await pool.query<SavedRow>(
    `insert into searches.saved (user_id, group_id, name, query, kinds)
     select $1, $2, $3, $4, $5
     where (select count(*) from searches.saved where user_id = $1 and group_id = $2 and name <> $3) < $6
     on conflict (user_id, group_id, name) do update set query = excluded.query, kinds = excluded.kinds
     returning ${columns}`,
    [userId, groupId, name, query, kinds, max],
  )
  return rows[0]
}

export async function deleteSaved(pool: pg.Pool, { userId, groupId }: Owner, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'delete from searches.saved where user_id = $1 and group_id = $2 and id = $3',
    [userId, groupId, id],
  )
  return (rowCount ?? 0) > 0
}
