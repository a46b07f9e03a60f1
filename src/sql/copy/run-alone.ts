import type { Client, QueryConfig } from 'pg'
import { messageOf } from '#kernel/errors'
import { mask } from '#kernel/mask'

/** Runs one statement: the extended protocol takes no second one. Returns why it failed, or null. */
export async function runAlone(client: Client, sql: string): Promise<string | null> {
  const query: QueryConfig & { queryMode: 'extended' } = { text: sql, queryMode: 'extended' }
  try {
    await client.query(query)
    return null
  } catch (error) {
    // Without a code it is the connection that failed.
    if ((error as { code?: string }).code === undefined) throw error
    return mask(messageOf(error))
  }
}
