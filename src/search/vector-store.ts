import type pg from 'pg'
import { inTransaction } from '#kernel/db'
import type { NearestChunks, NewVector } from './nearest.ts'

/** A model's vectors and its progress. */

export interface WaitingChunk {
  id: string
  kind: string
  group_id: string | null
  title: string
  content: string
}

/** The id of a model in the tables; records that it is in use. */
export async function findModel(pool: pg.Pool, fingerprint: string, name: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into search.models (fingerprint, name) values ($1, $2)
     on conflict (fingerprint) do update set name = excluded.name, used_at = now()
     returning id`,
    [fingerprint, name],
  )
  if (!rows[0]) throw new Error('The model was not saved')
  return rows[0].id
}

/** Drops models that no process has used for a week, with their vectors. */
export async function dropUnusedModels(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(`delete from search.models where used_at < now() - interval '7 days'`)
  return rowCount ?? 0
}

export async function nextWaiting(pool: pg.Pool, model: number, limit: number): Promise<WaitingChunk[]> {
  const { rows } = await pool.query<WaitingChunk>(
    `select chunks.id, chunks.kind, chunks.group_id, documents.title, chunks.content
     from search.chunks join search.documents on (documents.kind, documents.id) = (chunks.kind, document_id)
     where chunks.id > (select embedded_through from search.models where id = $1)
     order by chunks.id limit $2`,
    [model, limit],
  )
  return rows
}

/** More are not counted. */
const maxCounted = 100_000

/** Chunks that have no vector of the model yet. */
export async function countWaiting(pool: pg.Pool, model: number): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from (
       select from search.chunks
       where id > (select embedded_through from search.models where id = $1) limit $2
     ) waiting`,
    [model, maxCounted],
  )
  return Number(rows[0]?.count ?? 0)
}

/** Stores the vectors and the model's progress in one transaction, so that a crash loses at most one batch. */
export async function putVectors(
  pool: pg.Pool,
  nearest: NearestChunks,
  model: number,
  vectors: readonly NewVector[],
  through: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Nobody may delete the chunks while their vectors are written.
    await client.query('select from search.chunks where id = any($1::bigint[]) for key share', [
      vectors.map(({ chunkId }) => chunkId),
    ])
    await nearest.put(client, model, vectors)
    await client.query(
      'update search.models set embedded_through = greatest(embedded_through, $2), used_at = now() where id = $1',
      [model, through],
    )
  })
}
