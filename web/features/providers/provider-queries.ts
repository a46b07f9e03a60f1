import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyTest } from '#gateway/contract'
import type { Provider } from '#vault/contract'
import { call, type Given } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import type { ProviderBody } from './provider-draft.ts'

/** The group is part of the address: `/providers` alone is also the page, and a browser may cache either. */
const queryOf = (groupId: string) => ({ group_id: groupId })

/** A change of providers also changes the available models. */
function useProvidersChanged(groupId: string) {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      refreshQueries(queryClient, { queryKey: ['providers', groupId] }),
      refreshQueries(queryClient, { queryKey: ['models', groupId] }),
    ])
}

const testKey = (groupId: string, id: string) =>
  call('POST', '/providers/key/{key_id}/test', { path: { key_id: id }, query: queryOf(groupId) })

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
      const query = queryOf(groupId)
      const { id } = await (accountId === undefined
        ? call('POST', '/providers/{provider_id}', { path: { provider_id: providerId }, query, body })
        : call('POST', '/providers/accounts/{account_id}/keys', {
            path: { account_id: accountId },
            query,
            body,
          }))
      report(providerId, await testKey(groupId, id).catch(() => null))
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
  pooled?: boolean
  weight?: number
}

export function useChangeKey(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id, ...body }: KeyChange) =>
      call('POST', '/providers/key/{key_id}/update', {
        path: { key_id: id },
        query: queryOf(groupId),
        body,
      }),
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
      call('POST', `/providers/key/{key_id}/${action}`, {
        path: { key_id: id },
        query: queryOf(groupId),
      }),
    onSettled,
  })
}

/** A free call to the provider with the key; what comes of it is then seen at the key. */
export function useTestKey(groupId: string) {
  const onSettled = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) => testKey(groupId, id),
    onSettled,
  })
}

/** A mutation, not a query: a revealed key must not be cached. */
export function useRevealKey(groupId: string) {
  return useMutation({
    mutationFn: (id: string) =>
      call('GET', '/providers/key/{key_id}/reveal', { path: { key_id: id }, query: queryOf(groupId) }),
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
  const query = queryOf(groupId)
  return useMutation({
    mutationFn: (body: AccountBody) =>
      'accountId' in target
        ? call('POST', '/providers/accounts/{account_id}/update', {
            path: { account_id: target.accountId },
            query,
            body,
          })
        : call('POST', '/providers/{provider_id}/accounts', {
            path: { provider_id: target.providerId },
            query,
            body,
          }),
    onSuccess,
  })
}

export function useDeleteAccount(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) =>
      call('POST', '/providers/accounts/{account_id}/delete', {
        path: { account_id: id },
        query: queryOf(groupId),
      }),
    onSuccess,
  })
}

const changeProvider = (
  groupId: string,
  id: string,
  body: Given<'PATCH', '/providers/{provider_id}'>['body'],
) => call('PATCH', '/providers/{provider_id}', { path: { provider_id: id }, query: queryOf(groupId), body })

/** Adds a provider, or changes the one with the given id. The id itself does not change. */
export function useSaveProvider(groupId: string, id?: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id: newId, ...body }: ProviderBody) =>
      id === undefined
        ? call('POST', '/providers', { query: queryOf(groupId), body: { id: newId, ...body } })
        : changeProvider(groupId, id, { docs_url: '', ...body }),
    onSuccess,
  })
}

export function useSwitchProvider(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: ({ id, is_active }: Pick<Provider, 'id' | 'is_active'>) =>
      changeProvider(groupId, id, { is_active }),
    onSuccess,
  })
}

export function useRemoveProvider(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: (id: string) =>
      call('DELETE', '/providers/{provider_id}', { path: { provider_id: id }, query: queryOf(groupId) }),
    onSuccess,
  })
}

export function useSyncModels(groupId: string) {
  const onSuccess = useProvidersChanged(groupId)
  return useMutation({
    mutationFn: () =>
      call('POST', '/providers/{provider_id}/models/sync', {
        path: { provider_id: 'aggregator' },
        query: queryOf(groupId),
      }),
    onSuccess,
  })
}
