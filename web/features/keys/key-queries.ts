import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '#access/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import type { KeyBody } from './key-draft.ts'

export function useCreateKey(groupId: string) {
  const onSuccess = useKeysChanged(groupId)
  return useMutation({
    mutationFn: (body: KeyBody) => call<NewApiKey>('POST', '/api/v1/keys', { ...body, group_id: groupId }),
    onSuccess,
  })
}

export function useChangeKey(key: ApiKey) {
  const onSuccess = useKeysChanged(key.group_id)
  return useMutation({
    mutationFn: (body: Partial<KeyBody>) => call<ApiKey>('PATCH', `/api/v1/keys/${key.id}`, body),
    onSuccess,
  })
}

export function useRotateKey(key: ApiKey) {
  const onSuccess = useKeysChanged(key.group_id)
  return useMutation({
    mutationFn: (seconds: number) =>
      call<NewApiKey>('POST', `/api/v1/keys/${key.id}/rotate`, { overlap_seconds: seconds }),
    onSuccess,
  })
}

export function useRevokeKey(key: ApiKey) {
  const onSuccess = useKeysChanged(key.group_id)
  return useMutation({ mutationFn: () => call('DELETE', `/api/v1/keys/${key.id}`), onSuccess })
}

function useKeysChanged(groupId: string) {
  const queryClient = useQueryClient()
  return () => refreshQueries(queryClient, { queryKey: ['keys', groupId] })
}
