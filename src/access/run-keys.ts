import type { Kysely } from 'kysely'
import type { RunIdentity, Scope } from '#kernel/auth'
import { Secret } from '#kernel/log'
import { insertKey, revokeKey } from './api-key-store.ts'
import type { AccessTables } from './tables.ts'
import { hashToken, newApiKeyValue } from './token.ts'

export interface RunKeyInput {
  groupId: string
  run: RunIdentity
  /** Who asked: the key has no more rights than they have now. */
  userId: string | null
  /** The key that asked, with which this one ends. */
  parentId: string | null
  scopes: Scope[]
  expiresAt: Date
}

export interface RunKeys {
  create(input: RunKeyInput): Promise<{ id: string; secret: Secret }>
  end(id: string): Promise<void>
}

/** Keys of runs: any process accepts them, no list shows them, and each ends with what it was made for. */
export function createRunKeys(db: Kysely<AccessTables>): RunKeys {
  return {
    async create({ groupId, run, userId, parentId, scopes, expiresAt }) {
      const value = newApiKeyValue()
      const row = await insertKey(db, {
        groupId,
        createdBy: userId,
        parentId,
        name: `agent ${run.agentId}`,
        hash: hashToken(value),
        prefix: value.slice(0, 7),
        suffix: value.slice(-4),
        scopes,
        overrides: {},
        expiresAt,
        run,
      })
      return { id: row.id, secret: new Secret(value) }
    },
    end: (id) => revokeKey(db, id),
  }
}
