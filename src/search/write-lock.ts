import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'

/**
 * Chunks are numbered in the order of their commits, which is what lets one number say how far a model has come: so
 * one transaction at a time writes them.
 */
export async function inWriteTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await lockUntilCommit(client, 'search chunk numbers')
    return work(client)
  })
}
