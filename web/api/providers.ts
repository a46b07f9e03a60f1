import { queryOptions } from '@tanstack/react-query'
import type { Provider, ProviderKey } from '#vault/contract'
import { call } from './client.ts'

/** The group is part of the address: `/providers` alone is also the page, and a browser may cache either. */
export const providersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['providers', groupId],
    queryFn: async () => (await call('GET', '/providers', { query: { group_id: groupId } })).providers,
  })

export const keysOf = (provider: Provider): ProviderKey[] =>
  provider.accounts.flatMap((account) => account.keys)
