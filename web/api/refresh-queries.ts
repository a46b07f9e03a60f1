import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/**
 * Reloads what a change has made stale. An invalidation only joins a first load that is still running, whose
 * response may be from before the change, so it is then invalidated once more.
 */
export async function refreshQueries(
  queryClient: QueryClient,
  filters: InvalidateQueryFilters,
): Promise<void> {
  const isLoading = queryClient.isFetching(filters) > 0
  await queryClient.invalidateQueries(filters)
  if (isLoading) await queryClient.invalidateQueries(filters)
}
