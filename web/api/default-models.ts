import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { DefaultUse } from '#gateway/contract'
import { call } from './client.ts'
import { refreshQueries } from './refresh-queries.ts'

export const defaultsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['default-models', groupId],
    queryFn: () => call('GET', '/api/v1/default-models'),
  })

/** Sets the model of what names none; null chooses it automatically. */
export function useSetDefault(groupId: string, use: DefaultUse) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (model: string | null) =>
      call('PUT', '/api/v1/default-models/{use}', { path: { use }, body: { model } }),
    onSuccess: async () => {
      await refreshQueries(queryClient, { queryKey: defaultsQuery(groupId).queryKey })
      toast.success('Default model saved')
    },
  })
}
