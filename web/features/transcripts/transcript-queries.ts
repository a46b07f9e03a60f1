import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  TranscriptDetail,
  TranscriptHit,
  TranscriptMessage,
  TranscriptSession,
  TranscriptWatcher,
} from '#transcripts/contract'
import { call } from '../../api/client.ts'
import type { MessagePage, MessagePages } from './session/message-list.ts'
import { parametersOf, type Shown, type TranscriptFilter } from './transcripts-address.ts'

type Parameters = Record<string, string | number | undefined | null>

const pathWith = (path: string, parameters: Parameters): string => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null)
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

/** Everything of transcripts of one group. */
export const transcriptsKey = (groupId: string) => ['transcripts', groupId] as const

interface ListPage<Item> {
  data: Item[]
  next_cursor: string | null
}

const listQuery = <Item>(groupId: string, path: string, parameters: Parameters) =>
  infiniteQueryOptions({
    queryKey: [...transcriptsKey(groupId), path, parameters],
    queryFn: ({ pageParam }) =>
      call<ListPage<Item>>('GET', pathWith(path, { ...parameters, cursor: pageParam })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })

export const sessionsQuery = (groupId: string, filter: TranscriptFilter) =>
  listQuery<TranscriptSession>(groupId, '/api/transcripts', { ...parametersOf(filter), limit: 50 })

export const hitsQuery = (groupId: string, q: string, filter: TranscriptFilter) =>
  listQuery<TranscriptHit>(groupId, '/api/transcripts/search', { ...parametersOf(filter), q, limit: 50 })

/** The messages of one session that match, in their order. */
export const foundInSessionQuery = (groupId: string, id: string, q: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'found', id, q],
    queryFn: async () => {
      const path = pathWith('/api/transcripts/search', { q, session_id: id, sort: 'time', limit: 100 })
      const { data, next_cursor } = await call<ListPage<TranscriptHit>>('GET', path)
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
    queryFn: async () => {
      const path = pathWith('/api/transcripts', { external_id: key, limit: 1 })
      return (await call<ListPage<TranscriptSession>>('GET', path)).data[0] ?? null
    },
  })

export interface Project {
  project: string
  sessions: number
  last_at: string | null
}

export const projectsQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'projects'],
    queryFn: async () => (await call<{ data: Project[] }>('GET', '/api/transcripts/projects')).data,
  })

export const watchersQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'watchers'],
    queryFn: async () => (await call<{ data: TranscriptWatcher[] }>('GET', '/api/transcripts/watchers')).data,
    refetchInterval: 5000,
  })

export interface UnknownRecord {
  reason: string
  line: string
  cut: boolean
}

export const unknownQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...transcriptsKey(groupId), 'unknown', id],
    queryFn: () => call<{ data: UnknownRecord[]; total: number }>('GET', `/api/transcripts/${id}/unknown`),
  })

interface SessionPage {
  session: TranscriptDetail
  messages: TranscriptMessage[]
  next_cursor: string | null
  prev_cursor: string | null
}

const fetchMessages = (id: string, parameters: Parameters) =>
  call<SessionPage>('GET', pathWith(`/api/transcripts/${id}`, parameters))

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
    queryFn: ({ pageParam }) => fetchMessages(id, { limit: 50, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })

export const deleteSession = (id: string): Promise<void> => call('DELETE', `/api/transcripts/${id}`)

export const exportAddress = (
  groupId: string,
  id: string,
  format: 'markdown' | 'json',
  redact: boolean,
): string => pathWith(`/api/transcripts/${id}/export`, { format, redact: String(redact), group_id: groupId })
