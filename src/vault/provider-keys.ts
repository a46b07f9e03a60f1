import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Principal } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { Log, Secret } from '#kernel/log'
import type { AccountRow } from './account-store.ts'
import { shortestKey } from './contract.ts'
import { open, seal } from './envelope.ts'
import { holdSealingKey } from './hold-sealing-key.ts'
import { explainUnopened } from './key-choice.ts'
import type { KeyRing } from './key-ring.ts'
import * as store from './key-store.ts'
import { actor, groupIds, requireAdminOf } from './rights.ts'
import type { VaultTables } from './tables.ts'

type KeyEvent =
  | 'provider_key.added'
  | 'provider_key.default_set'
  | 'provider_key.activated'
  | 'provider_key.deactivated'
  | 'provider_key.deleted'
  | 'provider_key.renamed'
  | 'provider_key.pool_changed'
  | 'provider_key.replaced'
  | 'provider_key.revealed'

interface KeyInput {
  key: Secret
  name: string | undefined
}

interface KeyChange {
  key: Secret | undefined
  name?: string | undefined
  weight?: number | undefined
  pooled?: boolean | undefined
}

interface Deps {
  db: Kysely<VaultTables>
  ring: KeyRing
  events: Events
  log: Log
  /** Resolves when the other workers know of every change so far. */
  othersCaughtUp(): Promise<void>
}

/** Managing provider keys: add, change, activate, set as default, reveal, delete. */
export function createProviderKeys({ db, ring, events, log, othersCaughtUp }: Deps) {
  /** Whatever worker gets the next request, it goes by the change. */
  async function changed(name: KeyEvent, by: ReturnType<typeof actor>, row: store.ProviderKeyRow) {
    emitEvent(name, by, row)
    await othersCaughtUp()
    return row
  }

  function emitEvent(name: KeyEvent, by: ReturnType<typeof actor>, row: store.ProviderKeyRow): void {
    events.emit(name, {
      ...by,
      keyId: row.id,
      accountId: row.provider_account_id,
      providerId: row.provider_id,
      name: row.name,
      suffix: row.key_suffix,
    })
  }

  async function find(principal: Principal, id: string): Promise<store.ProviderKeyRow> {
    const row = await store.findKey(db, groupIds(principal), id)
    requireAdminOf(principal, row, 'The provider key')
    return present(row)
  }

  async function insert(account: AccountRow, userId: string | null, { key, name }: KeyInput) {
    const id = randomUUID()
    return db.transaction().execute(async (transaction) => {
      const master = await holdSealingKey(transaction, ring)
      return store.insertKey(transaction, {
        id,
        provider_account_id: account.id,
        group_id: account.group_id,
        provider_id: account.provider_id,
        user_id: userId,
        encrypted_key: seal(master, { keyId: id, groupId: account.group_id }, key),
        name: name ?? `Key …${suffixOf(key)}`,
        key_suffix: suffixOf(key),
      })
    })
  }

  async function update({ id, group_id: groupId }: store.ProviderKeyRow, { key, ...changed }: KeyChange) {
    return db.transaction().execute(async (transaction) => {
      const master = key && (await holdSealingKey(transaction, ring))
      return store.updateKey(transaction, id, {
        ...changed,
        ...(key &&
          master && {
            replaced: {
              encrypted_key: seal(master, { keyId: id, groupId }, key),
              key_suffix: suffixOf(key),
            },
          }),
      })
    })
  }

  return {
    /** Of a group of which the principal is an admin. */
    find,
    list: (groupId: string) => store.listKeys(db, groupId),
    listOfAccount: (accountId: string) => store.listKeysOfAccount(db, accountId),
    hasKeysFor: (groupId: string, providerId: string) => store.hasKeysFor(db, groupId, providerId),

    async add(principal: Principal, account: AccountRow, input: KeyInput) {
      const row = await insert(account, principal.user?.id ?? null, input)
      return changed('provider_key.added', actor(principal, row.group_id), row)
    },

    /** For the first start, where there is no user. */
    async addForSystem(account: AccountRow, input: KeyInput) {
      const row = await insert(account, null, input)
      emitEvent('provider_key.added', { groupId: row.group_id, by: null, apiKeyId: null }, row)
      return row
    },

    async setDefault(principal: Principal, id: string) {
      const row = present(await store.setDefault(db, await find(principal, id)))
      return changed('provider_key.default_set', actor(principal, row.group_id), row)
    },

    async setActive(principal: Principal, id: string, isActive: boolean) {
      await find(principal, id)
      const row = present(await store.setActive(db, id, isActive))
      const event = isActive ? 'provider_key.activated' : 'provider_key.deactivated'
      return changed(event, actor(principal, row.group_id), row)
    },

    /** A new value takes the place of the old one; what refers to the key stays. */
    async change(principal: Principal, id: string, change: KeyChange) {
      const found = await find(principal, id)
      if (Object.values(change).every((value) => value === undefined)) return found
      const row = present(await update(found, change))
      return changed(eventOf(change), actor(principal, row.group_id), row)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const row = await find(principal, id)
      if (!(await store.deleteKey(db, id))) throw notFound('The provider key')
      await changed('provider_key.deleted', actor(principal, row.group_id), row)
    },

    async reveal(principal: Principal, id: string): Promise<{ id: string; key: Secret }> {
      const row = await find(principal, id)
      const text = present(await store.sealedText(db, id))
      let key: Secret
      try {
        key = open(ring.find, { keyId: row.id, groupId: row.group_id }, text)
      } catch (error) {
        throw explainUnopened(error, { name: row.provider_id }, row, log)
      }
      emitEvent('provider_key.revealed', actor(principal, row.group_id), row)
      return { id: row.id, key }
    },
  }
}

function eventOf({ key, weight, pooled }: KeyChange): KeyEvent {
  if (key) return 'provider_key.replaced'
  return weight === undefined && pooled === undefined ? 'provider_key.renamed' : 'provider_key.pool_changed'
}

/** Of a short key the last characters would be nearly all of it. */
const suffixOf = (key: Secret): string => (key.reveal().length < shortestKey ? '****' : key.suffix)

function present<T>(row: T | undefined): T {
  if (row === undefined) throw notFound('The provider key')
  return row
}
