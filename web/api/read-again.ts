import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/**
 * Asks again for what a change has made old. A first reading that is still under way is only joined by an
 * invalidation, and may have been answered before the change: then once more.
 */
export async function readAgain(queryClient: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const isUnderWay = queryClient.isFetching(filters) > 0
  await queryClient.invalidateQueries(filters)
  if (isUnderWay) await queryClient.invalidateQueries(filters)
}
