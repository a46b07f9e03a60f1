import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Initiative, InitiativeCost, InitiativeSummary } from '#initiatives/contract'
import type { Ticket } from '#records/contract'
import type { StandupSummary } from '#standups/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'

/** Everything under this key is reloaded when an initiative changes. */
export const initiativesKey = (groupId: string) => ['initiatives', groupId] as const

export const pathOf = (id: string): string => `/api/initiatives/${encodeURIComponent(id)}`

interface Paged<Item> {
  data: Item[]
  next_cursor: string | null
}

export const initiativesQuery = (groupId: string, status: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...initiativesKey(groupId), 'list', status],
    queryFn: ({ pageParam }) => {
      const given = {
        ...(status !== undefined && { status }),
        ...(pageParam !== null && { cursor: pageParam }),
      }
      return call<Paged<InitiativeSummary>>(
        'GET',
        `/api/initiatives?${new URLSearchParams(given).toString()}`,
      )
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

export const initiativeQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'one', id],
    queryFn: () => call<Initiative>('GET', pathOf(id)),
  })

export const costQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'cost', id],
    queryFn: () => call<InitiativeCost>('GET', `${pathOf(id)}/cost`),
  })

export const standupsQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standups', id],
    queryFn: async () => (await call<{ data: StandupSummary[] }>('GET', `${pathOf(id)}/standups`)).data,
  })

export const ticketsQuery = (groupId: string, initiativeId: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'tickets', initiativeId],
    queryFn: () => call<Paged<Ticket>>('GET', `/api/tickets?limit=10&initiative_id=${initiativeId}`),
  })

export interface Change {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the initiative, such as `/criteria`; empty for the initiative. */
  path: string
  body?: unknown
}

/** A change of an initiative or of what belongs to it. */
export function useInitiativeChange(groupId: string, id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) =>
      call<Initiative | undefined>(method, `${pathOf(id)}${path}`, body),
    onSuccess: () => refreshQueries(queryClient, { queryKey: initiativesKey(groupId) }),
  })
}

export function useCreateInitiative(groupId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: object) => call<Initiative>('POST', '/api/initiatives', body),
    onSuccess: () => refreshQueries(queryClient, { queryKey: initiativesKey(groupId) }),
  })
}

/** A ticket names its initiative itself. */
export function useTicketLink(groupId: string, initiativeId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (ticketId: string) =>
      call('PATCH', `/api/tickets/${ticketId}`, { initiative_id: initiativeId }),
    onSuccess: () => refreshQueries(queryClient, { queryKey: initiativesKey(groupId) }),
  })
}
