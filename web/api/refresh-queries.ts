import {
  useMutation,
  useQueryClient,
  type InvalidateQueryFilters,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'

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

/** A change; afterwards everything under the key is reloaded. */
export function useChange<Given = void, Result = unknown>(
  queryKey: QueryKey,
  mutationFn: (given: Given) => Promise<Result>,
) {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => refreshQueries(queryClient, { queryKey }) })
}

/** Changes of one place that differ in their route: `mutate(() => call(…))`. */
export const useChanges = <Result = unknown>(queryKey: QueryKey) =>
  useChange<() => Promise<Result>, Result>(queryKey, (send) => send())
