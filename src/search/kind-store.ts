import type pg from 'pg'
import { inWriteTransaction } from './write-lock.ts'

/** How far each kind has been read, and what is stored of it. */

export async function readCursor(pool: pg.Pool, kind: string): Promise<string | null> {
  const { rows } = await pool.query<{ cursor: string | null }>(
    'select cursor from search.kinds where kind = $1',
    [kind],
  )
  return rows[0]?.cursor ?? null
}

export interface StoredDocument {
  id: string
  at: Date
}

export async function listStored(
  pool: pg.Pool,
  kind: string,
  after: string,
  limit: number,
): Promise<StoredDocument[]> {
  const { rows } = await pool.query<StoredDocument>(
    'select id, at from search.documents where kind = $1 and id > $2 order by id limit $3',
    [kind, after, limit],
  )
  return rows
}

/** Drops the oldest documents of groups that have more than their share. */
export async function trimKind(pool: pg.Pool, kind: string, max: number): Promise<number> {
  return inWriteTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `delete from search.documents using (
         select id, row_number() over (partition by group_id order by at desc, id) as place
         from search.documents where kind = $1
       ) as placed
       where documents.kind = $1 and documents.id = placed.id and placed.place > $2`,
      [kind, max],
    )
    return rowCount ?? 0
  })
}

/** Reads everything again from the beginning: what has not changed stays. */
export async function forgetCursors(pool: pg.Pool): Promise<void> {
  await pool.query('update search.kinds set cursor = null')
}

export interface KindCounts {
  kind: string
  documents: number
  chunks: number
  waiting: number
}

/** What a group can find, by kind, and how much of it a model has not come to yet. */
export async function countKinds(
  pool: pg.Pool,
  groupId: string,
  model: number | null,
): Promise<KindCounts[]> {
  const { rows } = await pool.query<KindCounts>(
    `select kind, count(distinct document_id)::integer as documents, count(*)::integer as chunks,
       count(*) filter (
         where id > coalesce((select embedded_through from search.models where id = $2), 0)
       )::integer as waiting
     from search.chunks where group_id = $1 or group_id is null group by kind order by kind`,
    [groupId, model],
  )
  return rows
}
