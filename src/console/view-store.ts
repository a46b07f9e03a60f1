import type pg from 'pg'

export interface ViewRow {
  id: string
  name: string
  query: string
  created_by: string | null
  created_at: Date
}

export async function listViews(pool: pg.Pool, groupId: string): Promise<ViewRow[]> {
  const { rows } = await pool.query<ViewRow>(
    'select id, name, query, created_by, created_at from console.views where group_id = $1 order by name, id',
    [groupId],
  )
  return rows
}

export interface NewView {
  id: string
  groupId: string
  name: string
  query: string
  createdBy: string | null
}

/** Replaces the view of the same name. Undefined: the group has as many views as it may have. */
export async function saveView(pool: pg.Pool, view: NewView, maxViews: number): Promise<ViewRow | undefined> {
  const { rows } = await pool.query<ViewRow>(
    `insert into console.views (id, group_id, name, query, created_by)
     select $1, $2, $3, $4, $5
     where (select count(*) from console.views where group_id = $2 and name <> $3) < $6
     on conflict (group_id, name) do update set query = excluded.query, created_by = excluded.created_by
     returning id, name, query, created_by, created_at`,
    [view.id, view.groupId, view.name, view.query, view.createdBy, maxViews],
  )
  return rows[0]
}

export async function deleteView(pool: pg.Pool, groupId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from console.views where group_id = $1 and id = $2', [
    groupId,
    id,
  ])
  return (rowCount ?? 0) > 0
}
