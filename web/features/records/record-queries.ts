import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'

export interface RecordPage<Item> {
  data: Item[]
  next_cursor: string | null
}

export type Filter = Readonly<Record<string, string | undefined>>

/** Everything under this key is reloaded when a record changes: one record shows on several pages. */
const recordsKey = (groupId: string) => ['records', groupId] as const

export function pathWith(path: string, filter: Filter): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`
}

/** A filter of an address, whose switches and numbers are no texts. */
export const asTexts = (filter: object): Filter =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))

/** A list, page by page. */
export const listQuery = <Item>(groupId: string, path: string, filter: Filter = {}) =>
  infiniteQueryOptions({
    queryKey: [...recordsKey(groupId), path, filter],
    queryFn: ({ pageParam }) =>
      call<RecordPage<Item>>('GET', pathWith(path, { ...filter, cursor: pageParam ?? undefined })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

/** One record, or anything else that has an address of its own. */
export const recordQuery = <Item>(groupId: string, path: string, filter: Filter = {}) =>
  queryOptions({
    queryKey: [...recordsKey(groupId), 'one', path, filter],
    queryFn: () => call<Item>('GET', pathWith(path, filter)),
  })

export interface Change {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
}

/** A change of a record; afterwards all records are reloaded. */
export function useRecordChange<Result = unknown>(groupId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => call<Result>(method, path, body),
    onSuccess: () => refreshQueries(queryClient, { queryKey: recordsKey(groupId) }),
  })
}
