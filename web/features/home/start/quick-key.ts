import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewApiKey } from '#access/contract'
import { call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'

/** A key created with one click. Its value stays in memory until a reload, so that leaving the page does not lose it. */
export function useQuickKey(groupId: string) {
  const queryClient = useQueryClient()
  const queryKey = ['quick-key', groupId]
  const kept = useQuery<NewApiKey | null>({
    queryKey,
    queryFn: () => queryClient.getQueryData<NewApiKey>(queryKey) ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const create = useMutation({
    mutationFn: () => call('POST', '/api/v1/keys', { body: { name: 'Quick start', group_id: groupId } }),
    onSuccess: async (key) => {
      queryClient.setQueryData(queryKey, key)
      await refreshQueries(queryClient, { queryKey: ['keys', groupId] })
    },
  })
  return { value: kept.data?.key ?? null, create }
}
