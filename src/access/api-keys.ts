import type { Kysely } from 'kysely'
import { scopesIn, type KeyIdentity, type Membership, type Principal, type Scope } from '#kernel/auth'
import { Fault, faults, invalid, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { coversNames } from '#kernel/name-pattern'
import { coversNetworks } from '#kernel/network'
import * as store from './api-key-store.ts'
import type { ResolveOverrides } from './deps.ts'
import type { AccessTables } from './tables.ts'
import { hashToken, newApiKeyValue } from './token.ts'

export interface NewKeyInput {
  name: string
  scopes?: Scope[] | undefined
  overrides?: Record<string, string> | undefined
  expiresAt?: Date | null | undefined
  allowedModels?: string[] | null | undefined
  allowedAddresses?: string[] | null | undefined
}

/** API keys of a group: created, changed and revoked by its members. */
export function createApiKeys(db: Kysely<AccessTables>, events: Events, resolveOverrides: ResolveOverrides) {
  async function make(
    groupId: string,
    creator: { userId: string | null; keyId: string | null },
    input: NewKeyInput & { scopes: Scope[] },
  ) {
    const value = newApiKeyValue()
    const row = await store.insertKey(db, {
      groupId,
      createdBy: creator.userId,
      parentId: creator.keyId,
      name: input.name,
      ...endsOf(value),
      scopes: [...new Set(input.scopes)],
      overrides: input.overrides ?? {},
      expiresAt: input.expiresAt ?? null,
      allowedModels: input.allowedModels ?? null,
      allowedAddresses: input.allowedAddresses ?? null,
    })
    events.emit('api_key.created', { groupId, by: creator.userId, keyId: row.id, name: row.name })
    return { row, value }
  }

  async function findOwn(principal: Principal, id: string) {
    const row = await store.findKey(
      db,
      principal.groups.map((group) => group.id),
      id,
    )
    const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
    if (!row || !group) throw notFound('The API key')
    checkMayManage(principal, group, row)
    return { row, group }
  }

  return {
    list: (groupId: string) => store.listKeys(db, groupId),

    /** For the first start and the command line, where there is no user. */
    makeForSystem: (groupId: string, name: string, scopes: Scope[]) =>
      make(groupId, { userId: null, keyId: null }, { name, scopes }),

    async revokeForSystem(id: string) {
      const row = await store.findAnyKey(db, id)
      if (!row) throw notFound(`The API key ${id}`)
      await store.revokeKey(db, id)
    },

    async create(principal: Principal, group: Membership, input: NewKeyInput) {
      const own = scopesIn(principal, group)
      // Everything but `admin` by default: a key in a client should not be able to create more keys.
      const scopes = input.scopes ?? [...own].filter((scope) => scope !== 'admin')
      if (scopes.length === 0) throw invalid('Name the scopes of the new key.', 'scopes')
      checkScopes(own, scopes)
      checkExpiry(input.expiresAt)
      const { key, user } = principal
      const expiresAt = input.expiresAt ?? key?.expiresAt ?? null
      const given = input.overrides && (await resolveOverrides(group.id, input.overrides))
      const overrides = { ...key?.providerKeyOverrides, ...given }
      const { allowedModels = null, allowedAddresses = null } = input
      checkLimitsOf(key, { expires_at: expiresAt, provider_key_overrides: overrides })
      checkListsOf(key, {
        allowed_models: allowedModels ?? undefined,
        allowed_addresses: allowedAddresses ?? undefined,
      })
      const lists = {
        allowedModels: allowedModels ?? nearest(key?.allowedModels),
        allowedAddresses: allowedAddresses ?? nearest(key?.allowedAddresses),
      }
      const creator = { userId: user?.id ?? null, keyId: key?.id ?? null }
      return make(group.id, creator, { ...input, ...lists, scopes, expiresAt, overrides })
    },

    async change(principal: Principal, id: string, given: store.KeyChange) {
      const { row, group } = await findOwn(principal, id)
      if (row.revoked_at)
        throw new Fault(faults.conflict, 'This API key was revoked and cannot be changed. Create a new one.')
      const overrides = given.provider_key_overrides
      const change = overrides
        ? { ...given, provider_key_overrides: await resolveOverrides(group.id, overrides) }
        : given
      if (change.scopes) checkScopes(scopesIn(principal, group), change.scopes)
      checkExpiry(change.expires_at)
      checkLimitsOf(principal.key, change)
      checkListsOf(principal.key, change)
      const changed = await store.updateKey(db, id, change)
      events.emit('api_key.changed', {
        groupId: group.id,
        by: principal.user?.id ?? null,
        keyId: id,
        name: changed.name,
      })
      return changed
    },

    /** The caller gets the new value, so the key must not have more rights than the caller. */
    async rotate(principal: Principal, id: string, overlapSeconds: number) {
      const { row, group } = await findOwn(principal, id)
      checkMayRotate(principal, group, row)
      if (row.revoked_at)
        throw new Fault(faults.conflict, 'This API key was revoked and cannot be rotated. Create a new one.')
      checkScopes(scopesIn(principal, group), row.scopes)
      checkLimitsOf(principal.key, row)
      checkListsOf(principal.key, row)
      const value = newApiKeyValue()
      const until = overlapSeconds === 0 ? null : new Date(Date.now() + overlapSeconds * 1_000)
      const rotated = await store.rotateKey(db, id, endsOf(value), until)
      if (!rotated) throw notFound('The API key')
      const by = principal.user?.id ?? null
      events.emit('api_key.rotated', { groupId: group.id, by, keyId: id, name: row.name })
      return { row: rotated, value }
    },

    async revoke(principal: Principal, id: string) {
      const { row, group } = await findOwn(principal, id)
      await store.revokeKey(db, id)
      events.emit('api_key.revoked', {
        groupId: group.id,
        by: principal.user?.id ?? null,
        keyId: id,
        name: row.name,
      })
    },
  }
}

/** What is stored of a value. */
const endsOf = (value: string) => ({
  hash: hashToken(value),
  prefix: value.slice(0, 7),
  suffix: value.slice(-4),
})

function checkMayRotate(principal: Principal, group: Membership, row: store.ApiKeyRow): void {
  const isCreator = row.created_by !== null && row.created_by === principal.user?.id
  if (group.role === 'owner' || isCreator) return
  throw new Fault(
    faults.forbidden,
    'Only the creator of this API key or an owner of the group can rotate it. Create a new key and revoke this one.',
  )
}

function checkScopes(own: ReadonlySet<Scope>, wanted: Scope[]): void {
  const excess = wanted.filter((scope) => !own.has(scope))
  if (excess.length === 0) return
  throw new Fault(
    faults.forbidden,
    `A key cannot have scopes that its creator does not have: ${excess.join(', ')}.`,
    { param: 'scopes' },
  )
}

/** What one key gives to another never exceeds what it has: neither in time nor in the provider keys it may use. */
function checkLimitsOf(key: KeyIdentity | undefined, change: store.KeyChange): void {
  if (!key) return
  const { expires_at: expiresAt, provider_key_overrides: overrides } = change
  if (key.expiresAt && expiresAt !== undefined && (expiresAt === null || expiresAt > key.expiresAt))
    throw new Fault(
      faults.forbidden,
      `The key "${key.name}" expires on ${key.expiresAt.toISOString()}; a key that it creates or changes cannot expire later.`,
      { param: 'expires_at' },
    )
  if (!overrides) return
  const pins = Object.entries(key.providerKeyOverrides)
  if (pins.every(([provider, id]) => overrides[provider] === id)) return
  throw new Fault(
    faults.forbidden,
    `The key "${key.name}" is limited to certain provider keys, and so is a key that it creates or changes.`,
    { param: 'provider_key_overrides' },
  )
}

/** Nor in the models that it may name, or the addresses that it may be used from. */
function checkListsOf(key: KeyIdentity | undefined, change: store.KeyChange): void {
  const { allowed_models: models, allowed_addresses: addresses } = change
  const isWider = <T>(
    own: readonly T[] | undefined,
    list: T | null | undefined,
    covers: (own: T, list: T) => boolean,
  ) => list !== undefined && own?.some((each) => list === null || !covers(each, list)) === true
  if (isWider<readonly string[]>(key?.allowedModels, models, coversNames)) throw wider('allowed_models', key)
  if (isWider<readonly string[]>(key?.allowedAddresses, addresses, coversNetworks))
    throw wider('allowed_addresses', key)
}

const wider = (param: string, key: KeyIdentity | undefined): Fault =>
  new Fault(
    faults.forbidden,
    `A key that "${key?.name}" creates or changes cannot have more in ${param} than that key has.`,
    { param },
  )

/** The list of the key itself, or of the next one above it that has one. */
const nearest = (lists: readonly (readonly string[])[] | undefined): string[] | null =>
  lists?.[0] ? [...lists[0]] : null

function checkExpiry(expiresAt: Date | null | undefined): void {
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw invalid('"expires_at" must be in the future.', 'expires_at')
}

/** Admins manage every key of the group; others their own. */
function checkMayManage(principal: Principal, group: Membership, row: store.ApiKeyRow): void {
  if (scopesIn(principal, group).has('admin')) return
  if (row.created_by !== null && row.created_by === principal.user?.id && principal.via !== 'api_key') return
  throw new Fault(
    faults.forbidden,
    'Only the creator of this API key or an admin of the group can change it.',
  )
}
