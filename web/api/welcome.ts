import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const welcomeQuery = (groupId: string | undefined) =>
  queryOptions({ queryKey: ['welcome', groupId], queryFn: () => call('GET', '/api/v1/welcome') })
