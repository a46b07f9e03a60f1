import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import { requireRole, type Membership } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { lockUntilCommit } from '#kernel/db'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import type { customProviderBody, customProviderChange } from '../contract.ts'
import { ownProvider } from '../providers/index.ts'
import {
  deleteCustomProvider,
  deleteInactiveProvider,
  insertCustomProvider,
  insertInactiveProvider,
  listCustomProviders,
  updateCustomProvider,
  type CustomProviderRow,
  type GatewayTables,
} from './provider-store.ts'
import type { Registry, Route } from './registry.ts'

type ProviderInput = z.infer<typeof customProviderBody>
type ProviderChange = z.infer<typeof customProviderChange>

/** Words that have the place of an id in paths of the key store, and in the log. */
const reserved = ['accounts', 'key', ownProvider]

interface CustomProviderDeps {
  db: Kysely<GatewayTables>
  registry: Registry
  config: Config
  /** Makes what this process has in memory current. */
  reload(): Promise<void>
}

/** Providers that owners add to their group. The database decides races: changes of one group wait for each other. */
export function createCustomProviders({ db, registry, config, reload }: CustomProviderDeps) {
  async function inOrder<T>(groupId: string, work: (transaction: Transaction<GatewayTables>) => Promise<T>) {
    const result = await db.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, `gateway.providers ${groupId}`)
      return work(transaction)
    })
    await reload()
    return result
  }

  /** Of a built-in provider a group decides only whether it uses it. */
  async function turn(groupId: string, id: string, input: ProviderChange): Promise<CustomProviderRow> {
    const { is_active: isActive, ...others } = input
    const [fixed] = Object.keys(others)
    if (fixed !== undefined) throw invalidField(fixed, 'cannot be changed: the provider is built in')
    const row = { group_id: groupId, provider_id: id }
    if (isActive !== undefined)
      await inOrder(groupId, (transaction) =>
        (isActive ? deleteInactiveProvider : insertInactiveProvider)(transaction, row),
      )
    const route = registry.list(groupId).find(({ provider }) => provider.id === id)
    if (!route) throw notFound('The provider')
    return toRow(groupId, route)
  }

  return {
    async add(group: Membership, input: ProviderInput): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      checkAddress(input, config)
      if (reserved.includes(input.id)) throw invalidField('id', `cannot be ${input.id}: this id is reserved`)
      const row: CustomProviderRow = {
        group_id: group.id,
        id: input.id,
        name: input.name,
        base_url: withoutSlash(input.base_url),
        docs_url: input.docs_url ?? '',
        prefixes: input.prefixes,
        allow_private: input.allow_private ?? false,
        is_active: true,
      }
      return inOrder(group.id, async (transaction) => {
        checkFree(registry, await listCustomProviders(transaction, group.id), row)
        await insertCustomProvider(transaction, row)
        return row
      })
    },

    async change(group: Membership, word: string, input: ProviderChange): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      const id = registry.resolveId(group.id, word) ?? word
      const known = registry.list(group.id).find(({ provider }) => provider.id === id)
      if (known && !known.isCustom) return turn(group.id, id, input)
      return inOrder(group.id, async (transaction) => {
        const present = await listCustomProviders(transaction, group.id)
        const before = present.find((row) => row.id === id)
        if (!before) throw notFound('The provider')
        const row: CustomProviderRow = {
          group_id: group.id,
          id,
          name: input.name ?? before.name,
          base_url: withoutSlash(input.base_url ?? before.base_url),
          docs_url: input.docs_url ?? before.docs_url,
          prefixes: input.prefixes ?? before.prefixes,
          allow_private: input.allow_private ?? before.allow_private,
          is_active: input.is_active ?? before.is_active,
        }
        checkAddress(row, config)
        checkFree(registry, present, row, before)
        await updateCustomProvider(transaction, row)
        return row
      })
    },

    /** Its accounts and keys are erased in the same transaction, by a trigger. */
    async remove(group: Membership, id: string): Promise<void> {
      requireRole(group, 'owner')
      await inOrder(group.id, async (transaction) => {
        if (!(await deleteCustomProvider(transaction, group.id, id))) throw notFound('The provider')
      })
    },
  }
}

function toRow(groupId: string, { provider, baseUrl, isActive, allowPrivate }: Route): CustomProviderRow {
  return {
    group_id: groupId,
    id: provider.id,
    name: provider.name,
    base_url: baseUrl,
    docs_url: provider.docsUrl,
    prefixes: [...provider.prefixes],
    allow_private: allowPrivate,
    is_active: isActive,
  }
}

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '')

/**
 * The id and the prefixes must belong to no other provider of the group, except those that the provider had before: it
 * keeps them when a built-in one gets the same.
 */
function checkFree(
  registry: Registry,
  present: readonly CustomProviderRow[],
  row: CustomProviderRow,
  before?: CustomProviderRow,
): void {
  const builtIn = registry.builtIn.map(({ provider }) => provider)
  const others = present.filter((other) => other !== before).map((other) => ({ ...other, specName: null }))
  const prefixes = row.prefixes.filter((prefix) => !before?.prefixes.includes(prefix))
  for (const provider of [...builtIn, ...others]) {
    if (!before && (provider.id === row.id || provider.specName === row.id)) {
      throw new Fault(faults.conflict, `A provider "${row.id}" already exists.`, { param: 'id' })
    }
    const taken = prefixes.find((prefix) => provider.prefixes.includes(prefix))
    if (taken)
      throw new Fault(faults.conflict, `The prefix "${taken}" belongs to ${provider.name}.`, {
        param: 'prefixes',
      })
  }
}

function checkAddress(
  input: { base_url: string; allow_private?: boolean | undefined },
  config: Config,
): void {
  const url = new URL(input.base_url)
  if (url.username || url.password)
    throw invalidField('base_url', 'must not contain a user or password: add the key to the provider instead')
  if (url.search || url.hash) throw invalidField('base_url', 'must not have a query or a fragment')
  if (input.allow_private && !config.UPSTREAM_PRIVATE) {
    throw invalidField(
      'allow_private',
      'cannot be set: this server does not allow private networks. The operator can allow them with UPSTREAM_PRIVATE=1',
    )
  }
}
