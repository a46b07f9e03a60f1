import { queryOptions } from '@tanstack/react-query'
import { call, type Arguments, type Given, type Path } from '../../api/client.ts'
import { pagesQuery, type ListPath } from '../../api/pages.ts'
import { useChanges } from '../../api/refresh-queries.ts'

/** Everything under this key is reloaded when a record changes: one record shows on several pages. */
export const recordsKey = (groupId: string) => ['records', groupId] as const

/** A list, page by page. */
export const listQuery = <P extends ListPath>(groupId: string, path: P, given: Given<'GET', P>) =>
  pagesQuery(recordsKey(groupId), path, given)

/** One record, or anything else that has an address of its own. */
export const recordQuery = <P extends Path<'GET'>>(groupId: string, path: P, given: Given<'GET', P>) =>
  queryOptions({
    queryKey: [...recordsKey(groupId), 'one', path, given],
    queryFn: () => call('GET', path, ...([given] as Arguments<Given<'GET', P>>)),
  })

/** Changes of records; afterwards all records are reloaded. */
export const useRecordChange = <Result = unknown>(groupId: string) => useChanges<Result>(recordsKey(groupId))
