import type pg from 'pg'
import type { NearChunk, NearestChunks, NearestQuery, NewVector } from './nearest.ts'
import { similarityTo, toBytes, toSigns } from './vector-codec.ts'

/**
 * Without an extension: the candidates whose signs differ least from the query's, put in order by their exact values.
 * How many candidates a good recall needs was measured (bench/search).
 */
const candidates = { min: 400, timesLimit: 2 }

export function createNearestBits(pool: pg.Pool): NearestChunks {
  return {
    name: 'bits',
    put: insertVectors,
    async nearest(query) {
      const rows = await selectCandidates(pool, query)
      return rows
        .map(({ chunk_id, exact }) => ({ chunkId: chunk_id, similarity: similarityTo(query.vector, exact) }))
        .toSorted(byRank)
        .slice(0, query.limit)
    },
  }
}

const byRank = (a: NearChunk, b: NearChunk): number =>
  b.similarity - a.similarity || Number(a.chunkId) - Number(b.chunkId)

async function selectCandidates(
  pool: pg.Pool,
  { model, groupId, kinds, vector, limit }: NearestQuery,
): Promise<{ chunk_id: string; exact: Buffer }[]> {
  const count = Math.max(candidates.min, limit * candidates.timesLimit)
  const { rows } = await pool.query<{ chunk_id: string; exact: Buffer }>(
    `with near as materialized (
        select chunk_id from search.signs
        where model = $1 and (group_id = $2 or group_id is null) ${kinds ? 'and kind = any($5::text[])' : ''}
        order by bit_count(bits # $3::bit(768)) limit $4
      )
      select chunk_id, exact from near join search.vectors using (chunk_id) where model = $1`,
    [model, groupId, toSigns(vector), count, ...(kinds ? [kinds] : [])],
  )
  return rows
}

async function insertVectors(
  client: pg.PoolClient,
  model: number,
  vectors: readonly NewVector[],
): Promise<void> {
  const ids = vectors.map(({ chunkId }) => chunkId)
  // A chunk may have been deleted while it was embedded; the join leaves it out.
  await client.query(
    `insert into search.vectors (chunk_id, model, exact)
     select new.id, $2, new.exact from unnest($1::bigint[], $3::bytea[]) as new (id, exact)
     join search.chunks on chunks.id = new.id on conflict do nothing`,
    [ids, model, vectors.map(({ vector }) => toBytes(vector))],
  )
  await client.query(
    `insert into search.signs (chunk_id, model, group_id, kind, bits)
     select new.id, $2, chunks.group_id, chunks.kind, new.bits::bit(768)
     from unnest($1::bigint[], $3::text[]) as new (id, bits)
     join search.chunks on chunks.id = new.id on conflict do nothing`,
    [ids, model, vectors.map(({ vector }) => toSigns(vector))],
  )
}
