import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { scopesOfRole, type KeyIdentity, type Membership, type Principal } from '#kernel/auth'
import { ReadCache } from '#kernel/cache'
import { isDatabaseBusy, isDatabaseDown, type Database } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { isInNetworks, readNetwork, type Network } from '#kernel/network'
import { findByHash, saveLastUsed, type ResolvedKeyRow } from './api-key-store.ts'
import type { AccessTables } from './tables.ts'
import type { UnknownKeyLimit } from './unknown-keys.ts'

interface KnownKey {
  row: ResolvedKeyRow
  principal: Principal
  /** Undefined: it may be used from everywhere. */
  networks: readonly (readonly Network[])[] | undefined
}

export interface KeyCache {
  /**
   * The address limits how many unknown keys are looked up, and where a key is used; a key that exists never counts. One
   * that is known to exist is looked up in any case.
   */
  resolve(token: string, address: string, exists?: boolean): Principal | Promise<Principal>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Unknown keys are remembered too, so that a flood of them does not reach the database. */
const defaultLimits = { keys: 50_000, unknownKeys: 10_000 }
const flushMs = 5_000

/** API keys in memory: a known key costs one hash and one lookup. A change in the database invalidates all of them. */
export function createKeyCache(
  database: Database,
  log: Log,
  unknown: UnknownKeyLimit,
  limits = defaultLimits,
): KeyCache {
  const db: Kysely<AccessTables> = database.identity.tables()
  /** When each key was last used, in milliseconds; saved from time to time. */
  let used = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  const cache = new ReadCache<KnownKey>({
    name: 'api_keys',
    max: limits.keys,
    maxMissing: limits.unknownKeys,
    async read(id) {
      const row = await findByHash(db, Buffer.from(id, 'base64'))
      return row && { row, principal: toPrincipal(row), networks: networksOf(row) }
    },
    isOutage: (error) => isDatabaseDown(error) || isDatabaseBusy(error),
    unavailable: (cause) =>
      new Fault(
        faults.unavailable,
        'The API key cannot be checked: the database is unavailable. Try again.',
        {
          cause,
        },
      ),
  })

  function check(known: KnownKey | undefined, address: string): Principal {
    if (!known)
      throw new Fault(
        faults.invalidApiKey,
        'This API key does not exist. Check it, or create a new one on the API keys page.',
      )
    const { row, principal, networks } = known
    if (row.revoked_at)
      throw new Fault(
        faults.invalidApiKey,
        'This API key was revoked. Create a new one on the API keys page.',
      )
    if (row.expires_at && row.expires_at.getTime() <= Date.now()) {
      throw new Fault(
        faults.invalidApiKey,
        `This API key expired on ${row.expires_at.toISOString()}. Create a new one on the API keys page.`,
      )
    }
    if (row.created_by && !row.role)
      throw new Fault(
        faults.invalidApiKey,
        'The creator of this API key is no longer a member of the group. Create a new key.',
      )
    if (networks?.some((list) => !isInNetworks(address, list))) throw wrongAddress(row.name, address)
    used.set(row.id, Date.now())
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
      if (!isDatabaseDown(error)) log.error({ error }, 'could not save when API keys were last used')
    }
  }

  return {
    resolve(token, address, exists = false) {
      if (!looksLikeApiKey(token)) {
        throw new Fault(
          faults.invalidApiKey,
          'This is not a Signalbox API key: it must start with sb- and have 46 characters.',
        )
      }
      const id = hash('sha256', token, 'base64')
      const isNew = !exists && !cache.knows(id)
      if (isNew) unknown.count(address)
      const known = cache.get(id)
      if (!(known instanceof Promise)) return check(known, address)
      return known.then((found) => {
        if (isNew && found) unknown.giveBack(address)
        return check(found, address)
      })
    },
    async start() {
      const invalidate = (): void => cache.invalidate()
      await database.listener.on('access_changed', invalidate, invalidate)
      timer = setInterval(() => void flush(), flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

function networksOf({ address_lists: lists }: ResolvedKeyRow): KnownKey['networks'] {
  if (lists.length === 0) return undefined
  return lists.map((list) => list.map(readNetwork).filter((network) => network !== undefined))
}

/** The caller learns which address we see: behind a proxy it may be that of the proxy. */
const wrongAddress = (name: string, address: string | undefined): Fault =>
  new Fault(
    faults.forbidden,
    `The key "${name}" cannot be used from the address ${address ?? 'of this connection'}. Its allowed addresses are on the API keys page.`,
  )

function toPrincipal(row: ResolvedKeyRow): Principal {
  // The key created at the first start has no creator: only its scopes limit it.
  const role = row.role ?? 'owner'
  const allowed = scopesOfRole[role]
  const group: Membership = { id: row.group_id, name: row.group_name, role }
  const { run_id: id, run_agent_id: agentId, run_mode: mode, run_agent_version: agentVersion } = row
  const run =
    id !== null && agentId !== null && mode !== null
      ? { id, agentId, mode, agentVersion, request: row.run_request }
      : undefined
  const key: KeyIdentity = {
    id: row.id,
    name: row.name,
    scopes: new Set(row.scopes.filter((scope) => allowed.includes(scope))),
    providerKeyOverrides: row.provider_key_overrides,
    expiresAt: row.expires_at,
    ...(row.model_lists.length > 0 && { allowedModels: row.model_lists }),
    ...(row.address_lists.length > 0 && { allowedAddresses: row.address_lists }),
    ...(run && { run }),
  }
  const user =
    row.created_by && row.creator_name !== null && row.creator_email !== null
      ? { id: row.created_by, name: row.creator_name, email: row.creator_email }
      : null
  return { via: 'api_key', user, groups: [group], key }
}

function looksLikeApiKey(token: string): boolean {
  return /^sb-[A-Za-z0-9_-]{20,100}$/.test(token)
}
