import type { Kysely } from 'kysely'
import type { Principal } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { notFound } from '#kernel/errors'
import type { Http } from '#kernel/http'
import type { Secret } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { VaultDeps } from './deps.ts'
import { createKeyChoice, type ChosenKey } from './key-choice.ts'
import { createKeyFiles, newMasterKey } from './key-files.ts'
import { createKeyRing } from './key-ring.ts'
import { keyNames, listInUse } from './key-store.ts'
import { refusedKeysSource } from './attention.ts'
import { createOutcomes } from './outcomes.ts'
import { createProviderAccounts } from './provider-accounts.ts'
import { createProviderKeys } from './provider-keys.ts'
import { resolveOverrides } from './resolve-overrides.ts'
import { rotateMaster } from './rotation.ts'
import { vaultRoutes } from './routes/index.ts'
import { createSecretStore, type SecretStore } from './secrets.ts'
import { settleMasterKey } from './start-check.ts'
import type { VaultTables } from './tables.ts'
import { takeFromEnvironment, type FoundKey } from './take-from-environment.ts'

export type { ProviderDirectory, ProviderInfo, VaultDeps } from './deps.ts'
export type { ChosenKey } from './key-choice.ts'
export type { SecretStore } from './secrets.ts'
export { checkKeyStore, dropSealed } from './key-store-check.ts'
export { openServerKeys } from './server-keys.ts'
export { countStored, masterKeyId, sealingKeyId } from './sealing-key.ts'

export interface Vault extends Part {
  /** The override, else the default, else the first active key; from memory when the group is known. */
  choose(
    groupId: string,
    provider: { id: string; name: string },
    override: string | undefined,
  ): ChosenKey | Promise<ChosenKey>
  /**
   * The key that `choose` gives, and after it, where that one is pooled, the other pooled keys of the provider: they
   * take over from each other.
   */
  candidates(
    groupId: string,
    provider: { id: string; name: string },
    override: string | undefined,
  ): readonly ChosenKey[] | Promise<readonly ChosenKey[]>
  /** A key of a group of which the principal is an admin, also one that is deactivated. Throws `not_found`. */
  findKey(principal: Principal, keyId: string): Promise<ChosenKey & { groupId: string; providerId: string }>
  /** The provider of a group's key; undefined where the group has no such key. */
  providerOfKey(groupId: string, keyId: string): Promise<string | undefined>
  /** The overrides of an API key, checked; by the ids of the providers. */
  resolveOverrides(
    groupId: string,
    overrides: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>>
  /** Ids of the providers with at least one usable key. */
  usableProviders(groupId: string): Promise<ReadonlySet<string>>
  /** Of all groups, the providers with a usable key. */
  providersInUse(): Promise<{ groupId: string; providerId: string }[]>
  /** Records how a call with the key ended; written to the database later, in batches. */
  noteOutcome(keyId: string, error: string | null): void
  /** Writes the recorded outcomes now, so that the next reader of the key sees them. */
  saveOutcomes(): Promise<void>
  /** The names of a group's keys. */
  keyNames(groupId: string): Promise<ReadonlyMap<string, string>>
  /** For the secrets of other parts. */
  secrets: SecretStore
  takeFromEnvironment(groupId: string, keys: readonly FoundKey[]): Promise<void>
  routes(app: Http): void
  /** Checks that the stored keys can be decrypted, and listens for changes. */
  start(): Promise<void>
  stop(): Promise<void>
  rotateMaster(next: Secret): Promise<{ rewrapped: number }>
}

const changesOfChoice = [
  'provider_key.added',
  'provider_key.default_set',
  'provider_key.activated',
  'provider_key.deactivated',
  'provider_key.replaced',
  'provider_key.pool_changed',
  'provider_key.deleted',
] as const

/**
 * Provider keys, encrypted at rest: stored, chosen per request, revealed on demand.
 *
 * @example
 * const vault = createVault({ ...kernel, masterKey, providers })
 * const { key } = await vault.choose(groupId, { id: 'openai', name: 'OpenAI' }, undefined)
 * const secretId = await vault.secrets.put(groupId, new Secret('hunter2'))
 */
export function createVault(deps: VaultDeps): Vault {
  const { database, config, events, log } = deps
  const db: Kysely<VaultTables> = database.tables()
  const ring = createKeyRing(config, deps.masterKey)
  const { othersCaughtUp } = database.listener
  const accounts = createProviderAccounts({ db, events, providers: deps.providers, othersCaughtUp })
  const keys = createProviderKeys({ db, ring, events, log, othersCaughtUp })
  const choice = createKeyChoice(db, ring, log)
  const outcomes = createOutcomes(db, log, choice.openedKey)
  // This process's own changes count for its next request, before the notification arrives.
  for (const name of changesOfChoice) events.on(name, choice.invalidate)

  return {
    name: 'vault',
    attention: [refusedKeysSource(db)],
    choose: choice.choose,
    candidates: choice.candidates,
    async findKey(principal, keyId) {
      const { group_id: groupId } = await keys.find(principal, keyId)
      const found = await choice.find(groupId, keyId)
      if (!found) throw notFound('The provider key')
      return { ...found, groupId }
    },
    providerOfKey: async (groupId, keyId) => (await choice.find(groupId, keyId))?.providerId,
    usableProviders: choice.usableProviders,
    providersInUse: () => listInUse(db),
    resolveOverrides: (groupId, overrides) =>
      resolveOverrides(deps.providers, choice.find, groupId, overrides),
    noteOutcome: outcomes.note,
    saveOutcomes: outcomes.flush,
    keyNames: (groupId) => keyNames(db, groupId),
    secrets: createSecretStore(db, ring),
    takeFromEnvironment: (groupId, found) => takeFromEnvironment({ accounts, keys, log }, groupId, found),
    routes: (app) => vaultRoutes(app, { accounts, keys, providers: deps.providers }),
    async start() {
      await settleMasterKey(database, ring, log)
      await database.listener.on('vault_changed', choice.invalidate, choice.invalidate)
      outcomes.start()
    },
    stop: () => outcomes.stop(),
    rotateMaster: (next) => rotateMaster({ database, ring, events, log }, next),
  }
}

/** The key a rotation changes to: MASTER_KEY if set, the one an interrupted rotation left, or a new one. */
export function nextMasterKey(config: Config): Secret {
  return config.MASTER_KEY ?? createKeyFiles(config.DATA_DIR).read().next ?? newMasterKey()
}
