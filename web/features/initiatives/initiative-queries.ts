import { queryOptions } from '@tanstack/react-query'
import { call, type Given } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'
import { useChange, useChanges } from '../../api/refresh-queries.ts'

/** Everything under this key is reloaded when an initiative changes. */
export const initiativesKey = (groupId: string) => ['initiatives', groupId] as const

export const initiativesQuery = (groupId: string, status: string | undefined) =>
  pagesQuery(initiativesKey(groupId), '/api/initiatives', { query: { status } })

export const initiativeQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'one', id],
    queryFn: () => call('GET', '/api/initiatives/{id}', { path: { id } }),
  })

export const costQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'cost', id],
    queryFn: () => call('GET', '/api/initiatives/{id}/cost', { path: { id } }),
  })

export const standupsQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standups', id],
    queryFn: async () => (await call('GET', '/api/initiatives/{id}/standups', { path: { id } })).data,
  })

export const ticketsQuery = (groupId: string, initiative_id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'tickets', initiative_id],
    queryFn: () => call('GET', '/api/tickets', { query: { limit: 10, initiative_id } }),
  })

/** Changes of an initiative and of what belongs to it. */
export const useInitiativeChange = (groupId: string) => useChanges(initiativesKey(groupId))

export const useCreateInitiative = (groupId: string) =>
  useChange(initiativesKey(groupId), (body: Given<'POST', '/api/initiatives'>['body']) =>
    call('POST', '/api/initiatives', { body }),
  )

/** A ticket names its initiative itself. */
export const useTicketLink = (groupId: string, initiative_id: string) =>
  useChange(initiativesKey(groupId), (id: string) =>
    call('PATCH', '/api/tickets/{id}', { path: { id }, body: { initiative_id } }),
  )
