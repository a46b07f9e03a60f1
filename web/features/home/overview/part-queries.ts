import { queryOptions } from '@tanstack/react-query'
import type { Run } from '#agents/contract'
import type { EventStats } from '#console/contract'
import type { InitiativeSummary } from '#initiatives/contract'
import type { Deployment, Devlog, Ticket } from '#records/contract'
import type { Approval } from '#sql/contract'
import type { TranscriptSession } from '#transcripts/contract'
import { call } from '../../../api/client.ts'

const pollEvery = 30_000

/** What a card shows of a list: its beginning, and whether there is more. */
export interface Glance<Item> {
  items: Item[]
  hasMore: boolean
}

interface ListPage<Item> {
  data: Item[]
  next_cursor?: string | null
}

const glance =
  <Item>(name: string, path: string) =>
  (groupId: string) =>
    queryOptions({
      queryKey: ['overview', groupId, name],
      queryFn: async (): Promise<Glance<Item>> => {
        const { data, next_cursor = null } = await call<ListPage<Item>>('GET', path)
        return { items: data, hasMore: next_cursor !== null }
      },
      refetchInterval: pollEvery,
      retry: false,
    })

export const deploymentsGlance = glance<Deployment>('deployments', '/api/deployments?limit=1')
export const ticketsGlance = glance<Ticket>('tickets', '/api/tickets?status=open,in_progress&limit=100')
export const devlogsGlance = glance<Devlog>('devlogs', '/api/devlogs?limit=1')
export const approvalsGlance = glance<Approval>('approvals', '/api/v1/sql/approvals?status=pending&limit=100')
export const sessionsGlance = glance<TranscriptSession>('sessions', '/api/transcripts?limit=1')
export const initiativesGlance = glance<InitiativeSummary>(
  'initiatives',
  '/api/initiatives?status=active&limit=100',
)
export const runsGlance = glance<Run>('runs', '/api/agent-runs?limit=50')

export const eventsGlance = (groupId: string) =>
  queryOptions({
    queryKey: ['overview', groupId, 'events'],
    queryFn: () => call<EventStats>('GET', '/api/console/stats?hours=24'),
    refetchInterval: pollEvery,
    retry: false,
  })
