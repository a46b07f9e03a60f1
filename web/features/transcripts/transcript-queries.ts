import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { addressOf, call, type Given, type Response } from '../../api/client.ts'
import { pagesQuery } from '../../api/pages.ts'
import type { MessagePage, MessagePages } from './session/message-list.ts'
import { parametersOf, type Shown, type TranscriptFilter } from './transcripts-address.ts'

/** Everything of transcripts of one group. */
export const transcriptsKey = (groupId: string) => ['transcripts', groupId] as const

export const sessionsQuery = (groupId: string, filter: TranscriptFilter) =>
  pagesQuery(transcriptsKey(groupId), '/api/transcripts', { query: { ...parametersOf(filter), limit: 50 } })

export const hitsQuery = (groupId: string, q: string, filter: TranscriptFilter) =>
  pagesQuery(transcriptsKey(groupId), '/api/transcripts/search', {
    query: { ...parametersOf(filter), q, limit: 50 },
  })

/** The messages of one session that match, in their order. */
export const foundInSessionQuery = (groupId: string, id: string, q: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'found', id, q],
    queryFn: async () => {
      const query = { q, session_id: id, sort: 'time', limit: 100 } as const
      const { data, next_cursor } = await call('GET', '/api/transcripts/search', { query })
      const inOrder = data
        .filter(({ message_id }) => message_id !== null)
        .toSorted((one, other) => (one.created_at ?? '').localeCompare(other.created_at ?? ''))
      return {
        messages: inOrder.flatMap(({ message_id }) => message_id ?? []),
        hasMore: next_cursor !== null,
      }
    },
    placeholderData: keepPreviousData,
  })

/** The session with this id of the assistant's own; null if there is none. */
export const sessionByKeyQuery = (groupId: string, key: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'by key', key],
    queryFn: async () =>
      (await call('GET', '/api/transcripts', { query: { external_id: key, limit: 1 } })).data[0] ?? null,
  })

export type Project = Response<'GET', '/api/transcripts/projects'>['data'][number]

export const projectsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'projects'],
    queryFn: async () => (await call('GET', '/api/transcripts/projects')).data,
  })

export const watchersQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'watchers'],
    queryFn: async () => (await call('GET', '/api/transcripts/watchers')).data,
    refetchInterval: 5000,
  })

export type UnknownRecord = Response<'GET', '/api/transcripts/{id}/unknown'>['data'][number]

export const unknownQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'unknown', id],
    queryFn: () => call('GET', '/api/transcripts/{id}/unknown', { path: { id } }),
  })

type Parameters = NonNullable<Given<'GET', '/api/transcripts/{id}'>['query']>

const fetchMessages = (id: string, query: Parameters) =>
  call('GET', '/api/transcripts/{id}', { path: { id }, query })

const firstLength = 200
const pageLength = 500

/** The pages of a session from its end, or from around one message. */
export function messagePages(id: string, around: string | undefined, show: Shown | undefined): MessagePages {
  const upwards = async (parameters: Parameters): Promise<MessagePage> => {
    const page = await fetchMessages(id, { ...parameters, show, order: 'desc' })
    return { session: page.session, messages: page.messages.reverse(), older: page.next_cursor, newer: null }
  }
  const downwards = async (parameters: Parameters): Promise<MessagePage> => {
    const page = await fetchMessages(id, { ...parameters, show, order: 'asc' })
    return {
      session: page.session,
      messages: page.messages,
      older: page.prev_cursor,
      newer: page.next_cursor,
    }
  }
  return {
    first: () =>
      around === undefined ? upwards({ limit: firstLength }) : downwards({ around, limit: firstLength }),
    older: (cursor) => upwards({ cursor, limit: pageLength }),
    newer: (cursor) => downwards({ cursor, limit: pageLength }),
    after: (message) => downwards({ after: message, limit: pageLength }),
  }
}

const maxPrompts = 1000

/** The newest prompts of a session. */
export const promptsQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'prompts', id],
    queryFn: async () =>
      (await fetchMessages(id, { show: 'prompts', order: 'desc', limit: maxPrompts })).messages,
    staleTime: 60_000,
  })

/** A session from its beginning, as it is shown within the session that started it. */
export const subagentQuery = (groupId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [...transcriptsKey(groupId), 'subagent', id],
    queryFn: ({ pageParam }) => fetchMessages(id, { limit: 50, cursor: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const deleteSession = (id: string) => call('DELETE', '/api/transcripts/{id}', { path: { id } })

export const exportAddress = (
  groupId: string,
  id: string,
  format: 'markdown' | 'json',
  redact: boolean,
): string =>
  addressOf('/api/transcripts/{id}/export', {
    path: { id },
    query: { format, redact: `${redact}`, group_id: groupId },
  })
