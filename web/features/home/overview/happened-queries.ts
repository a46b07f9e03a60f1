import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

const limit = 8

/** The newest of a list. One that fails does not take the others with it. */
const glance =
  <Item>(name: string, load: () => Promise<{ data: Item[] }>) =>
  (groupId: string) =>
    queryOptions({
      queryKey: ['overview', groupId, name],
      queryFn: async () => (await load()).data,
      refetchInterval: 60_000,
      retry: false,
    })

export const deploymentsGlance = glance('deployments', () =>
  call('GET', '/api/deployments', { query: { limit } }),
)
export const incidentsGlance = glance('incidents', () => call('GET', '/api/incidents', { query: { limit } }))
export const sessionsGlance = glance('sessions', () => call('GET', '/api/transcripts', { query: { limit } }))
export const initiativesGlance = glance('initiatives', () =>
  call('GET', '/api/initiatives', { query: { status: 'active', limit: 100 } }),
)
