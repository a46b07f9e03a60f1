import pg from 'pg'
import type { FirstStart } from '#access'
import { scopes } from '#kernel/auth'
import type { Target } from '#kernel/db'

/** The owner tokens of the servers of this test file, by address, so that a browser can open their links. */
const tokens = new Map<string, string>()

export function rememberOwner(url: string, { localOwnerToken }: Pick<FirstStart, 'localOwnerToken'>): void {
  if (localOwnerToken) tokens.set(new URL(url).origin, localOwnerToken.reveal())
}

export function ownerTokenOf(url: string): string | undefined {
  return tokens.get(new URL(url).origin)
}

/** Tests do everything with the first key, which has no admin scope as it comes. */
export async function giveEveryScope(target: Target, { firstKeyId }: FirstStart): Promise<void> {
  if (firstKeyId === null || target.kind !== 'embedded') return
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  try {
    await client.query('update access.api_keys set scopes = $1 where id = $2', [scopes, firstKeyId])
  } finally {
    await client.end()
  }
}
