import type pg from 'pg'

/** Who finds the chunks nearest to a vector. Two do it: signs in plain PostgreSQL, and pgvector where it is there. */
export interface NearestChunks {
  readonly name: 'bits' | 'pgvector'
  /** Stores vectors, within the transaction that notes how far the model has come. */
  put(client: pg.PoolClient, model: number, vectors: readonly NewVector[]): Promise<void>
  /** The chunks with the greatest cosine to the vector, greatest first. Vectors of other models are never looked at. */
  nearest(query: NearestQuery): Promise<NearChunk[]>
}

export interface NewVector {
  chunkId: string
  vector: Float32Array
}

export interface NearestQuery {
  model: number
  groupId: string
  /** Null: of every kind. */
  kinds: readonly string[] | null
  vector: Float32Array
  limit: number
}

export interface NearChunk {
  chunkId: string
  similarity: number
}
