import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { chooseGroup, type Membership, type Person } from '#kernel/auth'
import { Fault, faults } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Secret } from '#kernel/log'
import type { AccessToken, AccessTokens } from './access-tokens.ts'
import { findByHash, insertKeyOnce } from './api-key-store.ts'
import { findUserByAccount, groupsOf } from './group-store.ts'
import type { AccessTables } from './tables.ts'
import { hashToken } from './token.ts'
import type { UnknownKeyLimit } from './unknown-keys.ts'

export interface AssistantKeysDeps {
  db: Kysely<AccessTables>
  events: Events
  secret: Secret
  /** Undefined where no issuer is set up. */
  tokens: AccessTokens | undefined
  unknown: UnknownKeyLimit
}

/** How often a person may take access away from one assistant and give it again. */
const maxTurns = 50

/**
 * The API key that stands for an assistant for which a person signed in: one for each person, group, assistant and set
 * of scopes. So what an assistant does is logged, limited, listed and revoked as that of every key. Its value is
 * calculated, never stored, and never leaves the process.
 */
export function createAssistantKeys({ db, events, secret, tokens, unknown }: AssistantKeysDeps) {
  function valueOf(user: Person, group: Membership, token: AccessToken, turn: number): string {
    const what = JSON.stringify(['assistant', user.id, group.id, token.client, token.scopes, turn])
    return `sb-${createHmac('sha256', secret.reveal()).update(what).digest('base64url')}`
  }

  async function create(value: string, user: Person, group: Membership, token: AccessToken): Promise<void> {
    const row = await insertKeyOnce(db, {
      groupId: group.id,
      createdBy: user.id,
      parentId: null,
      name: `MCP: ${token.client}`,
      hash: hashToken(value),
      prefix: value.slice(0, 7),
      suffix: value.slice(-4),
      scopes: token.scopes,
      overrides: {},
      expiresAt: null,
    })
    if (row) events.emit('api_key.created', { groupId: group.id, by: user.id, keyId: row.id, name: row.name })
  }

  /** Refused ones count as unknown keys do. Those of people never do: their address may be everybody's. */
  async function personOf(given: string, verify: AccessTokens['verify'], address: string) {
    try {
      const token = await verify(given)
      const user = await findUserByAccount(db, 'oidc', token.subject)
      if (!user) throw unknownPerson()
      return { token, user }
    } catch (error) {
      if (error instanceof Fault && error.status < 500) unknown.count(address)
      throw error
    }
  }

  return {
    /** Undefined: not an access token, or there is no issuer. */
    async keyFor(given: string, groupId: string | undefined, address: string): Promise<string | undefined> {
      if (!tokens || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(given)) return undefined
      const { token, user } = await personOf(given, tokens.verify, address)
      const group = chooseGroup({ via: 'session', user, groups: await groupsOf(db, user.id) }, groupId)
      for (let turn = 0; turn < maxTurns; turn++) {
        const value = valueOf(user, group, token, turn)
        const known = await findByHash(db, hashToken(value))
        if (!known) await create(value, user, group, token)
        // A person who signs in again after revoking the key wants another one; an older token stays without.
        if (!known?.revoked_at || known.revoked_at >= token.issuedAt) return value
      }
      return undefined
    },
  }
}

const unknownPerson = (): Fault =>
  new Fault(
    faults.forbidden,
    'The person of this access token has never signed in here. Sign in to the dashboard with single sign-on once.',
  )
