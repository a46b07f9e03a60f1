import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

const pollEvery = 30_000

/** What a card shows of a list: its beginning, and whether there is more. */
export interface Glance<Item> {
  items: Item[]
  hasMore: boolean
}

interface Beginning<Item> {
  data: Item[]
  next_cursor?: string | null
}

const glance =
  <Item>(name: string, load: () => Promise<Beginning<Item>>) =>
  (groupId: string) =>
    queryOptions({
      queryKey: ['overview', groupId, name],
      queryFn: async (): Promise<Glance<Item>> => {
        const { data, next_cursor = null } = await load()
        return { items: data, hasMore: next_cursor !== null }
      },
      refetchInterval: pollEvery,
      retry: false,
    })

export const deploymentsGlance = glance('deployments', () =>
  call('GET', '/api/deployments', { query: { limit: 1 } }),
)
export const ticketsGlance = glance('tickets', () =>
  call('GET', '/api/tickets', { query: { status: 'open,in_progress', limit: 100 } }),
)
export const devlogsGlance = glance('devlogs', () => call('GET', '/api/devlogs', { query: { limit: 1 } }))
export const approvalsGlance = glance('approvals', () =>
  call('GET', '/api/v1/sql/approvals', { query: { status: 'pending', limit: 100 } }),
)
export const sessionsGlance = glance('sessions', () =>
  call('GET', '/api/transcripts', { query: { limit: 1 } }),
)
export const initiativesGlance = glance('initiatives', () =>
  call('GET', '/api/initiatives', { query: { status: 'active', limit: 100 } }),
)
export const runsGlance = glance('runs', () => call('GET', '/api/agent-runs', { query: { limit: 50 } }))

export const eventsGlance = (groupId: string) =>
  queryOptions({
    queryKey: ['overview', groupId, 'events'],
    queryFn: () => call('GET', '/api/console/stats', { query: { hours: '24' } }),
    refetchInterval: pollEvery,
    retry: false,
  })
