import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { scopesOfRole, type KeyIdentity, type Membership, type Principal } from '#kernel/auth'
import { isDatabaseDown, type Database } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { findByHash, saveLastUsed, type ResolvedKeyRow } from './api-key-store.ts'
import type { AccessTables } from './tables.ts'
import { hashToken, looksLikeApiKey } from './token.ts'

interface Entry {
  /** undefined: no such key. Remembered too, so that a flood of wrong keys does not reach the database. */
  row: ResolvedKeyRow | undefined
  principal: Principal | undefined
  generation: number
  /** Not to be looked up again before this moment, while the database is away. */
  retryAt: number
}

export interface KeyCache {
  resolve(token: string): Principal | Promise<Principal>
  start(): Promise<void>
  stop(): Promise<void>
}

const maximumEntries = 50_000
const retryMs = 1_000
const flushMs = 5_000

/**
 * Keys are kept in memory: a known key costs one hash and one look-up. Every change in the database raises
 * the generation on all processes, and each entry is read again on its next use. While the database is
 * away known keys stay good.
 */
export function createKeyCache(database: Database, log: Log): KeyCache {
  const db: Kysely<AccessTables> = database.tables()
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<Entry>>()
  let used = new Map<string, Date>()
  let generation = 0
  let timer: NodeJS.Timeout | undefined

  async function load(tokenHash: Buffer, id: string, old: Entry | undefined): Promise<Entry> {
    const startedIn = generation
    try {
      const row = await findByHash(db, tokenHash)
      const entry: Entry = { row, principal: row && toPrincipal(row), generation: startedIn, retryAt: 0 }
      if (entries.size >= maximumEntries) entries.clear()
      entries.set(id, entry)
      return entry
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
      if (!old?.row)
        throw new Fault(faults.unavailable, 'The key cannot be checked: the database cannot be reached.', {
          cause: error,
        })
      old.retryAt = Date.now() + retryMs
      return old
    } finally {
      loading.delete(id)
    }
  }

  function loadOnce(tokenHash: Buffer, id: string, old: Entry | undefined): Promise<Entry> {
    const pending = loading.get(id) ?? load(tokenHash, id, old)
    loading.set(id, pending)
    return pending
  }

  function judge(entry: Entry): Principal {
    const { row, principal } = entry
    if (!row || !principal)
      throw new Fault(
        faults.invalidApiKey,
        'This API key does not exist. Check it, or make a new one under API keys.',
      )
    if (row.revoked_at)
      throw new Fault(faults.invalidApiKey, 'This API key was revoked. Make a new one under API keys.')
    if (row.expires_at && row.expires_at.getTime() <= Date.now()) {
      throw new Fault(
        faults.invalidApiKey,
        `This API key expired on ${row.expires_at.toISOString()}. Make a new one under API keys.`,
      )
    }
    if (row.created_by && !row.role)
      throw new Fault(faults.invalidApiKey, 'The creator of this API key left the group. Make a new one.')
    used.set(row.id, new Date())
    return principal
  }

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const batch = used
    used = new Map()
    try {
      await saveLastUsed(db, batch)
    } catch (error) {
      for (const [id, at] of batch) if (!used.has(id)) used.set(id, at)
      if (!isDatabaseDown(error)) log.error({ error }, 'the last use of keys could not be saved')
    }
  }

  const changed = (): void => void generation++

  return {
    resolve(token) {
      if (!looksLikeApiKey(token)) {
        throw new Fault(
          faults.invalidApiKey,
          'This is not a Signalbox API key: it should start with sb- and have 46 characters.',
        )
      }
      const id = hash('sha256', token, 'base64')
      const entry = entries.get(id)
      if (entry && (entry.generation === generation || entry.retryAt > Date.now())) return judge(entry)
      return loadOnce(hashToken(token), id, entry).then(judge)
    },
    async start() {
      await database.listener.on('access_changed', changed, changed)
      timer = setInterval(() => void flush(), flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

function toPrincipal(row: ResolvedKeyRow): Principal {
  // A key that the system itself made at first start has no creator and is bound by its scopes alone.
  const role = row.role ?? 'owner'
  const allowed = scopesOfRole[role]
  const group: Membership = { id: row.group_id, name: row.group_name, role }
  const key: KeyIdentity = {
    id: row.id,
    name: row.name,
    scopes: new Set(row.scopes.filter((scope) => allowed.includes(scope))),
    providerKeyOverrides: row.provider_key_overrides,
  }
  const user =
    row.created_by && row.creator_name !== null && row.creator_email !== null
      ? { id: row.created_by, name: row.creator_name, email: row.creator_email }
      : null
  return { via: 'api_key', user, groups: [group], key }
}
