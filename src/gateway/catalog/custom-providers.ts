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

type CustomProviderInput = z.infer<typeof customProviderBody>
type CustomProviderUpdateInput = z.infer<typeof customProviderChange>

/** Words that have the same position in the URLs of the key store. */
const reserved = ['accounts', 'key']

/** Providers that owners add to their group. */
export function createCustomProviders(db: Kysely<GatewayTables>, registry: Registry, config: Config) {
  return {
    async add(group: Membership, input: CustomProviderInput): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      checkAddress(input, config)
      if (reserved.includes(input.id)) throw invalidField('id', `cannot be ${input.id}: this id is reserved`)
      checkFree(registry, group.id, input)
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
      await putCustomProvider(db, row)
      return row
    },

    async change(
      group: Membership,
      id: string,
      input: CustomProviderUpdateInput,
    ): Promise<CustomProviderRow> {
      requireRole(group, 'owner')
      const before = (await listCustomProviders(db)).find((row) => row.group_id === group.id && row.id === id)
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

/** No other provider of the group may have the id or a prefix. */
function checkFree(
  registry: Registry,
  groupId: string,
  input: Pick<CustomProviderRow, 'id' | 'prefixes'>,
  self?: string,
): void {
  for (const { provider } of registry.list(groupId)) {
    if (provider.id === self) continue
    if (provider.id === input.id || provider.specName === input.id) {
      throw new Fault(faults.conflict, `There is a provider "${input.id}" already.`, { param: 'id' })
    }
    const taken = input.prefixes.find((prefix) => provider.prefixes.includes(prefix))
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
