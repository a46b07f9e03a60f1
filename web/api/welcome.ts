import { queryOptions } from '@tanstack/react-query'
import type { Welcome } from '#access/contract'
import { call } from './client.ts'

export const welcomeQuery = (groupId: string | undefined) =>
  queryOptions({ queryKey: ['welcome', groupId], queryFn: () => call<Welcome>('GET', '/api/v1/welcome') })
