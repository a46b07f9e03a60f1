import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { NamedRoute } from '#gateway/contract'
import { call, type Given } from '../../api/client.ts'
import { refreshQueries, useChange } from '../../api/refresh-queries.ts'

export const routesKey = (groupId: string) => ['routes', groupId]

export const routesQuery = (groupId: string) =>
  queryOptions({
    queryKey: routesKey(groupId),
    queryFn: async () => (await call('GET', '/api/v1/routes')).data,
  })

export type RouteFields = Given<'POST', '/api/v1/routes'>['body']

/** Makes a route, or changes the one that is given. A route is also a model. */
export function useSaveRoute(groupId: string, route: NamedRoute | undefined) {
  const queryClient = useQueryClient()
  return useChange(routesKey(groupId), async (body: RouteFields) => {
    const saved = route
      ? await call('PATCH', '/api/v1/routes/{name}', { path: { name: route.name }, body })
      : await call('POST', '/api/v1/routes', { body })
    void refreshQueries(queryClient, { queryKey: ['models', groupId] })
    return saved
  })
}

export const deleteRoute = (name: string) => call('DELETE', '/api/v1/routes/{name}', { path: { name } })

type Request = Given<'POST', '/api/v1/routes/{name}/explain'>['body']

/** Who answered the requests of today, by route. */
export const sharesQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...routesKey(groupId), 'shares'],
    queryFn: async () => (await call('GET', '/api/v1/analytics/route-shares')).data,
    refetchInterval: 15_000,
  })

/** What a request would do now: keys rest and recover, so it is asked again while it is looked at. */
export const explainQuery = (groupId: string, name: string, body: Request) =>
  queryOptions({
    queryKey: [...routesKey(groupId), 'explain', name, body],
    queryFn: async () =>
      (await call('POST', '/api/v1/routes/{name}/explain', { path: { name }, body })).targets,
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })
