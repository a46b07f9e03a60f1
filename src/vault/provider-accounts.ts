import type { Kysely } from 'kysely'
import type { Membership, Principal } from '#kernel/auth'
import { Fault, faults, notFound } from '#kernel/errors'
import type { Events } from '#kernel/events'
import type { ProviderDirectory } from './deps.ts'
import * as store from './account-store.ts'
import { actor, groupIds, requireAdminOf } from './rights.ts'
import type { VaultTables } from './tables.ts'

export type AccountInput = Omit<store.NewAccount, 'group_id' | 'provider_id' | 'is_custom'>

interface Deps {
  db: Kysely<VaultTables>
  events: Events
  providers: ProviderDirectory
  /** Resolves when the other workers know of every change so far. */
  othersCaughtUp(): Promise<void>
}

/** Provider accounts of a group; each holds keys. */
export function createProviderAccounts({ db, events, providers, othersCaughtUp }: Deps) {
  async function find(principal: Principal, id: string): Promise<store.AccountRow> {
    const row = await store.findAccount(db, groupIds(principal), id)
    requireAdminOf(principal, row, 'The provider account')
    if (!row) throw notFound('The provider account')
    return row
  }

  const ofProvider = (groupId: string, providerId: string) => ({
    group_id: groupId,
    provider_id: providerId,
    is_custom: providers.list(groupId).some(({ id, isCustom }) => id === providerId && isCustom),
  })

  const names = (row: store.AccountRow) => ({
    accountId: row.id,
    providerId: row.provider_id,
    name: row.name,
  })

  return {
    find,
    list: (groupId: string) => store.listAccounts(db, groupId),

    async create(principal: Principal, group: Membership, providerId: string, input: AccountInput) {
      const row = await store.insertAccount(db, { ...input, ...ofProvider(group.id, providerId) })
      if (!row) throw nameTaken(input.name)
      events.emit('provider_account.created', { ...actor(principal, group.id), ...names(row) })
      return row
    },

    /** The account that keys added without one belong to; created with the first such key. */
    async useDefault(groupId: string, providerId: string): Promise<store.AccountRow> {
      const wanted = { ...ofProvider(groupId, providerId), name: 'Default' }
      const made =
        (await store.findAccountByName(db, groupId, providerId, wanted.name)) ??
        (await store.insertAccount(db, { ...wanted, account_email: null, account_phone: null })) ??
        (await store.findAccountByName(db, groupId, providerId, wanted.name))
      if (!made) throw new Fault(faults.conflict, 'The account was deleted in the meantime. Try again.')
      return made
    },

    async change(principal: Principal, id: string, change: store.AccountChange) {
      const row = await find(principal, id)
      if (Object.values(change).every((value) => value === undefined)) return row
      const changed = await store.updateAccount(db, id, change).catch((error: unknown) => {
        throw isDuplicate(error) ? nameTaken(change.name ?? row.name) : error
      })
      if (!changed) throw notFound('The provider account')
      events.emit('provider_account.changed', { ...actor(principal, row.group_id), ...names(changed) })
      return changed
    },

    /** Deletes its keys too. */
    async remove(principal: Principal, id: string): Promise<void> {
      const row = await find(principal, id)
      const keys = await store.deleteAccount(db, id)
      if (!keys) throw notFound('The provider account')
      const who = actor(principal, row.group_id)
      for (const key of keys)
        events.emit('provider_key.deleted', {
          ...who,
          ...names(row),
          name: key.name,
          keyId: key.id,
          suffix: key.key_suffix,
        })
      events.emit('provider_account.deleted', { ...who, ...names(row) })
      await othersCaughtUp()
    },
  }
}

function nameTaken(name: string): Fault {
  return new Fault(
    faults.conflict,
    `There is already an account named "${name}" with this provider. Choose another name.`,
    { param: 'name' },
  )
}

const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === '23505'
