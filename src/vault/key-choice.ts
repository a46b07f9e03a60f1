import type { Kysely } from 'kysely'
import { ReadCache } from '#kernel/cache'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Log, Secret } from '#kernel/log'
import { MasterKeyMissing, open, SealBroken, sealedSecret } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import { listChoosable, type ChoosableRow } from './key-store.ts'
import type { VaultTables } from './tables.ts'

export interface ChosenKey {
  id: string
  accountId: string
  key: Secret
  /** Its share among the pooled keys of the provider. */
  weight: number
}

interface Provider {
  id: string
  name: string
}

/** The keys of a group, by provider. */
type KeysOfGroup = ReadonlyMap<string, readonly ChoosableRow[]>

const maxGroups = 10_000

/** Picks the key for a request: the caller's override, else the default, else the first active one. */
export function createKeyChoice(db: Kysely<VaultTables>, ring: KeyRing, log: Log) {
  /** Decrypted keys. A rotation does not change the secret, so these stay valid through one that this process missed. */
  const opened = new Map<string, { groupId: string; text: string; chosen: ChosenKey }>()

  const cache = new ReadCache<KeysOfGroup>({
    name: 'provider_keys',
    max: maxGroups,
    async read(groupId) {
      const rows = await listChoosable(db, groupId)
      const present = new Set(rows.map((row) => row.id))
      for (const [id, entry] of opened) if (entry.groupId === groupId && !present.has(id)) opened.delete(id)
      return Map.groupBy(rows, (row) => row.provider_id)
    },
    isOutage: isDatabaseDown,
    unavailable: (cause) =>
      new Fault(
        faults.unavailable,
        'The provider keys cannot be read: the database is unavailable. Try again.',
        {
          cause,
        },
      ),
  })

  function choose(
    groupId: string,
    keys: KeysOfGroup | undefined,
    provider: Provider,
    override?: string,
  ): ChosenKey {
    return openOnce(groupId, provider, chosenRow(keys?.get(provider.id) ?? [], provider, override))
  }

  /** A pooled key that cannot be opened is no reason to refuse a request that the others can serve. */
  function candidates(
    groupId: string,
    keys: KeysOfGroup | undefined,
    provider: Provider,
    override?: string,
  ): ChosenKey[] {
    const own = keys?.get(provider.id) ?? []
    const first = chosenRow(own, provider, override)
    const chosen = openOnce(groupId, provider, first)
    if (!first.pooled || own.length === 1) return [chosen]
    const others = own.filter((row) => row !== first && row.pooled && row.is_active)
    return [chosen, ...others.flatMap((row) => openIfPossible(groupId, provider, row) ?? [])]
  }

  function openIfPossible(groupId: string, provider: Provider, row: ChoosableRow): ChosenKey | undefined {
    try {
      return openOnce(groupId, provider, row)
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
  }

  function openOnce(groupId: string, provider: Pick<Provider, 'name'>, row: ChoosableRow): ChosenKey {
    const text = row.encrypted_key
    const known = opened.get(row.id)
    const isOurs = known?.groupId === groupId
    if (isOurs && known.text === text && known.chosen.weight === row.weight) return known.chosen
    // A rotation wraps the same secret again.
    const isSame = isOurs && sealedSecret(known.text) === sealedSecret(text)
    const chosen = {
      id: row.id,
      accountId: row.provider_account_id,
      key: isSame ? known.chosen.key : openRow(groupId, provider, row),
      weight: row.weight,
    }
    opened.set(row.id, { groupId, text, chosen })
    return chosen
  }

  function openRow(groupId: string, provider: Pick<Provider, 'name'>, row: ChoosableRow): Secret {
    try {
      return open(ring.find, { keyId: row.id, groupId }, row.encrypted_key)
    } catch (error) {
      throw explainUnopened(error, provider, row, log)
    }
  }

  return {
    choose(
      groupId: string,
      provider: Provider,
      override: string | undefined,
    ): ChosenKey | Promise<ChosenKey> {
      const keys = cache.get(groupId)
      return keys instanceof Promise
        ? keys.then((loaded) => choose(groupId, loaded, provider, override))
        : choose(groupId, keys, provider, override)
    },
    candidates(
      groupId: string,
      provider: Provider,
      override: string | undefined,
    ): ChosenKey[] | Promise<ChosenKey[]> {
      const keys = cache.get(groupId)
      return keys instanceof Promise
        ? keys.then((loaded) => candidates(groupId, loaded, provider, override))
        : candidates(groupId, keys, provider, override)
    },
    async find(groupId: string, keyId: string): Promise<(ChosenKey & { providerId: string }) | undefined> {
      const keys = await cache.get(groupId)
      const row = [...(keys?.values() ?? [])].flat().find(({ id }) => id === keyId.toLowerCase())
      if (!row) return undefined
      const providerId = row.provider_id
      return { ...openOnce(groupId, { name: providerId }, row), providerId }
    },
    async usableProviders(groupId: string): Promise<ReadonlySet<string>> {
      const keys = await cache.get(groupId)
      return new Set(
        [...(keys ?? [])].filter(([, rows]) => rows.some((row) => row.is_active)).map(([id]) => id),
      )
    },
    openedKey: (keyId: string): Secret | undefined => opened.get(keyId)?.chosen.key,
    /** The stored keys changed: each group is read again on its next use. */
    invalidate: (): void => cache.invalidate(),
  }
}

function chosenRow(rows: readonly ChoosableRow[], provider: Provider, override?: string): ChoosableRow {
  const row = override === undefined ? pick(rows) : pickOverride(rows, provider, override)
  if (!row) throw noKey(provider, rows.length > 0)
  return row
}

/** Rows are ordered by age. A default that was deactivated is skipped. */
function pick(rows: readonly ChoosableRow[]): ChoosableRow | undefined {
  return rows.find((row) => row.is_default && row.is_active) ?? rows.find((row) => row.is_active)
}

function pickOverride(rows: readonly ChoosableRow[], provider: Provider, id: string): ChoosableRow {
  const row = rows.find((candidate) => candidate.id === id.toLowerCase())
  if (row?.is_active) return row
  const why = row
    ? `which is deactivated. Activate "${row.name}" on the Providers page, or change the override`
    : 'which is not a key of this provider in your group. Change the override'
  throw new Fault(
    faults.noProviderKey,
    `No provider key found for ${provider.name}: your API key selects the provider key ${id.slice(0, 64)}, ${why} on the API keys page.`,
    { param: null },
  )
}

function noKey(provider: Provider, hasInactive: boolean): Fault {
  const todo = hasInactive
    ? 'All its keys are deactivated. Activate one, or add another, on the Providers page (/providers).'
    : `Add one on the Providers page (/providers), or with POST /providers/${provider.id}.`
  return new Fault(faults.noProviderKey, `No provider key found for ${provider.name}. ${todo}`, {
    param: null,
  })
}

/** For callers one message per kind of failure; the log has the details. */
export function explainUnopened(
  error: unknown,
  provider: Pick<Provider, 'name'>,
  row: { id: string; name: string },
  log: Log,
): unknown {
  if (error instanceof MasterKeyMissing) {
    return new Fault(
      faults.unavailable,
      `The stored key "${row.name}" for ${provider.name} cannot be decrypted: this process does not have its master key yet. Try again.`,
      { cause: error, internal: error.message },
    )
  }
  if (!(error instanceof SealBroken)) return error
  log.error({ providerKeyId: row.id, reason: error.message }, 'a stored provider key cannot be decrypted')
  return new Fault(
    faults.noProviderKey,
    `The stored key "${row.name}" for ${provider.name} is damaged and cannot be decrypted. Delete it on the Providers page (/providers) and add it again.`,
    { param: null, cause: error },
  )
}
