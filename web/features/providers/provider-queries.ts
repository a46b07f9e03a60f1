import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyTest, SyncResult } from '#gateway/contract'
import type { Provider, ProviderAccount, ProviderKey } from '#vault/contract'
import { call } from '../../api/client.ts'
import { providersPath as at } from '../../api/providers.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import type { ProviderBody } from './provider-draft.ts'

/** A change of providers also changes the available models. */
function useProvidersChanged(groupId: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      refreshQueries(queryClient, { queryKey: ['providers', groupId] }),
      refreshQueries(queryClient, { queryKey: ['models', groupId] }),
    ])
}

export interface NewKey {
  providerId: string
  /** Absent for the account `Default`. */
  accountId?: string | undefined
  name: string
  api_key: string
}

/**
 * Stores a key and tries it at once. A test that cannot be made leaves the key stored. `report` is also called when
 * the form is gone by then, because the list it is in has changed.
 */
export function useAddKey(groupId: string, report: (providerId: string, test: KeyTest | null) => void) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: async ({ providerId, accountId, ...body }: NewKey) => {
      const path = accountId === undefined ? `/${providerId}` : `/accounts/${accountId}/keys`
      const { id } = await call<ProviderKey>('POST', at(path, groupId), body)
      const test = await call<KeyTest>('POST', at(`/key/${id}/test`, groupId), {}).catch(() => null)
      report(providerId, test)
    },
    onSuccess,
    // The value of a key is not kept in memory after the request.
    gcTime: 0,
  })
}

export interface KeyChange {
  id: string
  name: string
  api_key?: string
}

export function useChangeKey(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id, ...body }: KeyChange) => call('PATCH', at(`/key/${id}`, groupId), body),
    onSuccess,
    // The value of a key is not kept in memory after the request.
    gcTime: 0,
  })
}

type KeyAction = 'set-default' | 'activate' | 'deactivate' | 'delete'

export function useActOnKey(groupId: string) {
  const onSettled = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: KeyAction }) =>
      call('POST', at(`/key/${id}/${action}`, groupId), {}),
    onSettled,
  })
}

/** A free call to the provider with the key; what comes of it is then seen at the key. */
export function useTestKey(groupId: string) {
  const onSettled = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) => call<KeyTest>('POST', at(`/key/${id}/test`, groupId), {}),
    onSettled,
  })
}

/** A mutation, not a query: a revealed key must not be cached. */
export function useRevealKey(groupId: string) {
  return useMutation({
    mutationFn: (id: string) => call<{ api_key: string }>('GET', at(`/key/${id}/reveal`, groupId)),
    gcTime: 0,
  })
}

export interface AccountBody {
  name: string
  account_email: string
  account_phone: string
}

export function useSaveAccount(groupId: string, target: { providerId: string } | { accountId: string }) {
  const onSuccess = useProvidersChanged(groupId)
  const path =
    'accountId' in target ? `/accounts/${target.accountId}/update` : `/${target.providerId}/accounts`
  return useMutation({
    mutationFn: (body: AccountBody) => call<ProviderAccount>('POST', at(path, groupId), body),
    onSuccess,
  })
}

export function useDeleteAccount(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) => call('POST', at(`/accounts/${id}/delete`, groupId), {}),
    onSuccess,
  })
}

/** Adds a provider, or changes the one with the given id. The id itself does not change. */
export function useSaveProvider(groupId: string, id?: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id: newId, ...body }: ProviderBody) =>
      id === undefined
        ? call<Provider>('POST', at('', groupId), { id: newId, ...body })
        : call<Provider>('PATCH', at(`/${id}`, groupId), { docs_url: '', ...body }),
    onSuccess,
  })
}

export function useSwitchProvider(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id, is_active }: Pick<Provider, 'id' | 'is_active'>) =>
      call<Provider>('PATCH', at(`/${id}`, groupId), { is_active }),
    onSuccess,
  })
}

export function useRemoveProvider(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) => call('DELETE', at(`/${id}`, groupId)),
    onSuccess,
  })
}

export function useSyncModels(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: () => call<SyncResult>('POST', at('/aggregator/models/sync', groupId), {}),
    onSuccess,
  })
}
