import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query'
import { call, type Arguments, type Given, type Path, type Response } from './client.ts'

/** One page of a list, as every list of the server is. */
export interface ListPage<Item> {
  data: Item[]
  next_cursor: string | null
}

/** The routes that return a list page by page. */
export type ListPath = {
  [P in Path<'GET'>]: Response<'GET', P> extends ListPage<unknown> ? P : never
}[Path<'GET'>]

export type ItemOf<P extends ListPath> = Response<'GET', P> extends ListPage<infer Item> ? Item : never

/** What `pagesQuery` gives, whatever the path. */
export type ListPages<Item> = ReturnType<typeof optionsOf<Item>>

const optionsOf = <Item>(queryKey: QueryKey, load: (cursor: string | undefined) => Promise<ListPage<Item>>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => load(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

/** A list, page by page; the key is the path and what is asked for, below the given one. */
export const pagesQuery = <P extends ListPath>(key: QueryKey, path: P, given: Given<'GET', P>) =>
  optionsOf([...key, path, given], async (cursor) => {
    const query = { ...('query' in given && given.query), cursor }
    const page = await call('GET', path, ...([{ ...given, query }] as Arguments<Given<'GET', P>>))
    return page as ListPage<ItemOf<P>>
  })
