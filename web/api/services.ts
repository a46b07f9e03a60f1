import { queryOptions } from '@tanstack/react-query'
import type { Service } from '#records/contract'
import { call } from './client.ts'

/** The registered services, for filters and forms. */
export const servicesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['records', groupId, 'services'],
    queryFn: async () => (await call<{ data: Service[] }>('GET', '/api/services?limit=500')).data,
  })
