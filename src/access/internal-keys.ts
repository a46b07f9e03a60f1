import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Principal, Scope } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import { Secret } from '#kernel/log'
import { findGroup } from './group-store.ts'
import type { AccessTables } from './tables.ts'

/** What the usage log has as the key of a request that Signalbox made itself. No such key is stored. */
export const internalKey = { id: '00000000-0000-7000-8000-000000000001', name: 'Signalbox' } as const

export interface InternalKeys {
  /** Signalbox itself, in a group and with one scope. */
  principalFor(groupId: string, scope: Scope): Promise<Principal>
  /** A key of the group for one call within this process; it ends with the call. */
  withKey<T>(groupId: string, scope: Scope, call: (key: Secret) => Promise<T>): Promise<T>
  /** Undefined: not an internal key. */
  resolve(token: string): Principal | undefined
}

/** Another beginning than that of API keys, so that a request with one of those costs no lookup. */
const prefix = 'internal-'

/** Keys with which Signalbox calls its own routes. They are never stored and never leave the process. */
export function createInternalKeys(db: Kysely<AccessTables>): InternalKeys {
  const valid = new Map<string, Principal>()

  async function principalFor(groupId: string, scope: Scope): Promise<Principal> {
    const group = await findGroup(db, groupId)
    if (!group) throw notFound('The group')
    const key = { ...internalKey, scopes: new Set([scope]), providerKeyOverrides: {} }
    return { via: 'api_key', user: null, groups: [{ ...group, role: 'member' }], key }
  }

  return {
    principalFor,
    async withKey(groupId, scope, call) {
      const principal = await principalFor(groupId, scope)
      const token = `${prefix}${randomBytes(32).toString('base64url')}`
      valid.set(token, principal)
      try {
        return await call(new Secret(token))
      } finally {
        valid.delete(token)
      }
    },
    resolve(token) {
      if (!token.startsWith(prefix)) return undefined
      const principal = valid.get(token)
      if (!principal) throw new Fault(faults.invalidApiKey, 'This API key does not exist.')
      return principal
    },
  }
}
