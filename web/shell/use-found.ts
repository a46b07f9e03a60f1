import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useMe, type CurrentGroup } from '../api/session.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import type { Feature, Found } from './feature.ts'

/** Most of one kind that the palette shows. */
const maxOfKind = 5

/** What the features find for a text, in their order. One that fails finds nothing. */
export function useFound(features: readonly Feature[], text: string, group: CurrentGroup | null): Found[] {
  const userId = useMe().user?.id ?? null
  const queryClient = useQueryClient()
  const asked = useDebounced(text.trim(), 150)
  return useQueries({
    queries: features.flatMap(({ find }, index) =>
      find && asked.length >= 2 && group !== null
        ? [
            {
              queryKey: ['palette', group.id, index, asked],
              queryFn: () => find(asked, { groupId: group.id, role: group.role, userId, queryClient }),
              retry: false,
            },
          ]
        : [],
    ),
    combine: (results) => results.flatMap(({ data }) => data?.slice(0, maxOfKind) ?? []),
  })
}
