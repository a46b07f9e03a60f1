import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { requireRole, type Membership } from '#kernel/auth'
import type { Config } from '#kernel/config'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import type { customProviderBody, customProviderChange } from '../contract.ts'
import {
  deleteCustomProvider,
  listCustomProviders,
  putCustomProvider,
  type CustomProviderRow,
  type GatewayTables,
} from './provider-store.ts'
import type { Registry } from './registry.ts'

type Wish = z.infer<typeof customProviderBody>
type Change = z.infer<typeof customProviderChange>

/** Words that stand at the same place in addresses of the key store. */
const reserved = ['accounts', 'key']

/** Providers that owners add to their group. */
export function createCustomProviders(db: Kysely<GatewayTables>, registry: Registry, config: Config) {
  return {
    async add(group: Membership, wish: Wish): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      checkAddress(wish, config)
      if (reserved.includes(wish.id)) throw invalidField('id', `cannot be ${wish.id}: this id is reserved`)
      checkFree(registry, group.id, wish)
      const row: CustomProviderRow = {
        group_id: group.id,
        id: wish.id,
        name: wish.name,
        base_url: withoutSlash(wish.base_url),
        docs_url: wish.docs_url ?? '',
        prefixes: wish.prefixes,
        allow_private: wish.allow_private ?? false,
        is_active: true,
      }
      await putCustomProvider(db, row)
      return row
    },

    async change(group: Membership, id: string, wish: Change): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      const before = (await listCustomProviders(db)).find((row) => row.group_id === group.id && row.id === id)
      if (!before) throw notFound('The provider')
      const row: CustomProviderRow = {
        group_id: group.id,
        id,
        name: wish.name ?? before.name,
        base_url: withoutSlash(wish.base_url ?? before.base_url),
        docs_url: wish.docs_url ?? before.docs_url,
        prefixes: wish.prefixes ?? before.prefixes,
        allow_private: wish.allow_private ?? before.allow_private,
        is_active: wish.is_active ?? before.is_active,
      }
      checkAddress(row, config)
      checkFree(registry, group.id, row, id)
      await putCustomProvider(db, row)
      return row
    },

    async remove(group: Membership, id: string): Promise<void> {
      requireRole(group, 'owner')
      if (!(await deleteCustomProvider(db, group.id, id))) throw notFound('The provider')
    },
  }
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** The id and the prefixes must be nobody else's. */
function checkFree(
  registry: Registry,
  groupId: string,
  wish: Pick<CustomProviderRow, 'id' | 'prefixes'>,
  self?: string,
): void {
  for (const { provider } of registry.list(groupId)) {
    if (provider.id === self) continue
    if (provider.id === wish.id || provider.specName === wish.id) {
      throw new Fault(faults.conflict, `There is a provider "${wish.id}" already.`, { param: 'id' })
    }
    const taken = wish.prefixes.find((prefix) => provider.prefixes.includes(prefix))
    if (taken)
      throw new Fault(faults.conflict, `The prefix "${taken}" belongs to ${provider.name}.`, {
        param: 'prefixes',
      })
  }
}

function checkAddress(wish: { base_url: string; allow_private?: boolean | undefined }, config: Config): void {
  const url = new URL(wish.base_url)
  if (url.username || url.password)
    throw invalidField('base_url', 'must not contain a user or password: add the key to the provider instead')
  if (url.search || url.hash) throw invalidField('base_url', 'must not have a query or a fragment')
  if (wish.allow_private && !config.UPSTREAM_PRIVATE) {
    throw invalidField(
      'allow_private',
      'cannot be set: this server does not allow private networks. The operator can allow them with UPSTREAM_PRIVATE=1',
    )
  }
}
