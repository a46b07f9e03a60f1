import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { NewApiKey } from '#access/contract'
import { call } from '../../api/client.ts'
import { readAgain } from '../../api/read-again.ts'

/** A key made with one click. Its value is kept until the page is reloaded, so that leaving the page does not lose it. */
export function useQuickKey(groupId: string) {
  const queryClient = useQueryClient()
  const place = ['quick-key', groupId]
  const kept = useQuery<NewApiKey | null>({
    queryKey: place,
    queryFn: () => queryClient.getQueryData<NewApiKey>(place) ?? null,
    staleTime: Infinity,
    gcTime: Infinity,
  })
  const create = useMutation({
    mutationFn: () => call<NewApiKey>('POST', '/api/v1/keys', { name: 'Quick start', group_id: groupId }),
    onSuccess: async (key) => {
      queryClient.setQueryData(place, key)
      await readAgain(queryClient, { queryKey: ['keys', groupId] })
    },
  })
  return { value: kept.data?.key ?? null, create }
}
