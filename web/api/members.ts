import { queryOptions } from '@tanstack/react-query'
import type { Member } from '#access/contract'
import { call } from './client.ts'

export const membersQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['members', groupId],
    queryFn: async () => (await call<{ data: Member[] }>('GET', `/api/v1/groups/${groupId}/members`)).data,
  })
