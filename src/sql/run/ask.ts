import type { Connections } from './pools.ts'
import { inSession } from './session.ts'

/** We ask for a few names; where a database has very many objects, the planner would read all of them. */
const forFewRows = 'set local enable_hashjoin = off; set local enable_mergejoin = off'

/** A question of ours to the catalogs, asked as the reader, so that it sees what the agents may see. */
export async function ask(
  connections: Connections,
  sql: string,
  values: unknown[],
  statementMs: number,
  owner: string,
): Promise<Record<string, unknown>[]> {
  const { signal } = new AbortController()
  const options = {
    access: 'read',
    owner,
    statementMs,
    lockMs: statementMs,
    ending: 'rollback',
    signal,
  } as const
  return inSession(connections, options, async (client) => {
    await client.query(forFewRows)
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    return rows
  })
}
