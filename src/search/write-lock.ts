import type pg from 'pg'

/**
 * Chunks are numbered in the order of their commits, which is what lets one number say how far a model has come: so
 * one transaction at a time writes them.
 */
export async function inWriteTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('signalbox search chunk numbers', 0))`)
    return work(client)
  })
}

export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // A connection that cannot even take back its work is of no use to the next one.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

/** Runs the work if no other process does it just now; a process that dies gives its turn away with its connection. */
export async function ifAlone(pool: pg.Pool, name: string, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect()
  let isBroken = false
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
      [`signalbox search ${name}`],
    )
    if (!rows[0]?.mine) return false
    try {
      await work()
    } finally {
      isBroken = await client
        .query('select pg_advisory_unlock(hashtextextended($1, 0))', [`signalbox search ${name}`])
        .then(
          () => false,
          () => true,
        )
    }
    return true
  } finally {
    client.release(isBroken)
  }
}
