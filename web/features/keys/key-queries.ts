import type { ApiKey } from '#access/contract'
import { call } from '../../api/client.ts'
import { useChange } from '../../api/refresh-queries.ts'
import type { KeyBody } from './key-draft.ts'

const keysKey = (groupId: string) => ['keys', groupId]

export const useCreateKey = (groupId: string) =>
  useChange(keysKey(groupId), (body: KeyBody) =>
    call('POST', '/api/v1/keys', { body: { ...body, group_id: groupId } }),
  )

export const useChangeKey = ({ id, group_id }: ApiKey) =>
  useChange(keysKey(group_id), (body: Partial<KeyBody>) =>
    call('PATCH', '/api/v1/keys/{id}', { path: { id }, body }),
  )

export const useRotateKey = ({ id, group_id }: ApiKey) =>
  useChange(keysKey(group_id), (seconds: number) =>
    call('POST', '/api/v1/keys/{id}/rotate', { path: { id }, body: { overlap_seconds: seconds } }),
  )

export const useRevokeKey = ({ id, group_id }: ApiKey) =>
  useChange(keysKey(group_id), () => call('DELETE', '/api/v1/keys/{id}', { path: { id } }))
