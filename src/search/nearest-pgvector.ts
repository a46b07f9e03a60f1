import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { inTransaction, tryWithLock } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { NearChunk, NearestChunks, NearestQuery, NewVector } from './nearest.ts'

/**
 * Where the database has pgvector: a table of `vector(768)` with an HNSW index for each model. It is made from the
 * vectors that the signs were made from, which stay: a backup can go to a server that has no extension.
 */
const fillBatch = 500

/** Whether the server has pgvector and lets us use it. */
export async function hasPgvector(pool: pg.Pool, log: Log): Promise<boolean> {
  const { rows } = await pool.query(`select 1 from pg_available_extensions where name = 'vector'`)
  if (rows.length === 0) return false
  try {
    await pool.query('create extension if not exists vector')
    const found = await pool.query<{ version: string }>(
      `select extversion as version from pg_extension where extname = 'vector'`,
    )
    // Before 0.8 an index search cannot continue until it has enough of a group's chunks.
    if (/^0\.[0-7](\.|$)/.test(found.rows[0]?.version ?? '')) {
      log.warn({ version: found.rows[0]?.version }, 'pgvector is older than 0.8; searching without it')
      return false
    }
    await pool.query(
      `create table if not exists search.embeddings (
         chunk_id bigint not null references search.chunks on delete cascade,
         model smallint not null references search.models on delete cascade,
         group_id uuid,
         kind text not null,
         embedding vector(768) not null,
         primary key (chunk_id, model)
       )`,
    )
    return true
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'pgvector is there but may not be used; searching without it')
    return false
  }
}

export function createNearestPgvector(pool: pg.Pool, bits: NearestChunks): NearestChunks {
  return {
    name: 'pgvector',
    async put(client, model, vectors) {
      await bits.put(client, model, vectors)
      await insertEmbeddings(client, model, vectors)
    },
    nearest: (query) => selectNearest(pool, query),
  }
}

async function insertEmbeddings(
  client: pg.PoolClient | pg.Pool,
  model: number,
  vectors: readonly NewVector[],
): Promise<void> {
  await client.query(
    `insert into search.embeddings (chunk_id, model, group_id, kind, embedding)
     select new.id, $2, chunks.group_id, chunks.kind, new.embedding::vector(768)
     from unnest($1::bigint[], $3::text[]) as new (id, embedding)
     join search.chunks on chunks.id = new.id on conflict do nothing`,
    [vectors.map(({ chunkId }) => chunkId), model, vectors.map(({ vector }) => `[${vector.join(',')}]`)],
  )
}

async function selectNearest(pool: pg.Pool, query: NearestQuery): Promise<NearChunk[]> {
  const { model, groupId, kinds, vector, limit } = query
  return inTransaction(pool, async (client) => {
    await client.query(`select set_config('hnsw.ef_search', $1, true)`, [
      String(Math.min(1_000, Math.max(200, limit * 2))),
    ])
    // Of a group with few chunks the index would find too few among all: it continues until there are enough.
    await client.query(`select set_config('hnsw.iterative_scan', 'strict_order', true)`)
    // The model is written out, for the index belongs to it alone.
    const { rows } = await client.query<{ chunk_id: string; similarity: number }>(
      `select chunk_id, 1 - (embedding <=> $1::vector) as similarity from search.embeddings
       where model = ${model} and (group_id = $2 or group_id is null)
         ${kinds ? 'and kind = any($4::text[])' : ''}
       order by embedding <=> $1::vector limit $3`,
      [`[${vector.join(',')}]`, groupId, limit, ...(kinds ? [kinds] : [])],
    )
    return rows.map((row) => ({ chunkId: row.chunk_id, similarity: row.similarity }))
  })
}

/** One process at a time; the others retry later, since waiting in the database would block the index. */
export async function prepareModel(sessions: pg.Pool, model: number, signal: AbortSignal): Promise<void> {
  while (
    !signal.aborted &&
    !(await tryWithLock(sessions, 'search pgvector', () => fillAndIndex(sessions, model, signal)))
  )
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
}

/** Copies what was embedded before the extension was installed, then builds the model's index without blocking writers. */
async function fillAndIndex(pool: pg.Pool, model: number, signal: AbortSignal): Promise<void> {
  let through = '0'
  while (!signal.aborted) {
    const { rows } = await pool.query<{ chunk_id: string; exact: Buffer }>(
      `select vectors.chunk_id, exact from search.vectors
       left join search.embeddings using (chunk_id, model)
       where model = $1 and vectors.chunk_id > $2 and embedding is null
       order by vectors.chunk_id limit $3`,
      [model, through, fillBatch],
    )
    const last = rows.at(-1)
    if (!last) break
    await insertEmbeddings(
      pool,
      model,
      rows.map(({ chunk_id, exact }) => ({ chunkId: chunk_id, vector: Float32Array.from(toSigned(exact)) })),
    )
    through = last.chunk_id
  }
  if (!signal.aborted) await createIndex(pool, model)
}

async function createIndex(pool: pg.Pool, model: number): Promise<void> {
  const name = `embeddings_of_model_${model}`
  const { rows } = await pool.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
    [`search.${name}`],
  )
  if (rows[0]?.valid) return
  // One that was being made when its process ended is of no use.
  if (rows[0]) await pool.query(`drop index search.${name}`)
  await pool.query(
    `create index concurrently ${name} on search.embeddings
     using hnsw (embedding vector_cosine_ops) where model = ${model}`,
  )
}

const toSigned = (bytes: Buffer): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
