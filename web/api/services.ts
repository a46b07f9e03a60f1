import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** The registered services, for filters and forms. */
export const servicesQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['records', groupId, 'services'],
    queryFn: async () => (await call('GET', '/api/services', { query: { limit: 500 } })).data,
  })
