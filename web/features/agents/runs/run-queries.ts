import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Run } from '#agents/contract'
import { call } from '../../../api/client.ts'
import type { RunsAddress } from './run-address.ts'
import { hasEnded } from './run-words.ts'

export const runsKey = (groupId: string) => ['agent-runs', groupId] as const

interface RunPage {
  data: Run[]
  next_cursor: string | null
}

const activePoll = 3_000
const restPoll = 15_000

const pollOf = (runs: readonly Run[] | undefined): number =>
  runs?.some(({ status }) => !hasEnded(status)) ? activePoll : restPoll

function listPath(address: RunsAddress, limit: number, cursor: string | null): string {
  const parameters = new URLSearchParams({ limit: String(limit) })
  if (address.agent !== undefined) parameters.set('agent_id', address.agent)
  if (address.status !== undefined) parameters.set('status', address.status)
  if (cursor !== null) parameters.set('cursor', cursor)
  return `/api/agent-runs?${parameters.toString()}`
}

/** The newest first, reloaded more often while one of them is active. */
export const runsQuery = (groupId: string, address: RunsAddress) =>
  infiniteQueryOptions({
    queryKey: [...runsKey(groupId), 'list', address],
    queryFn: ({ pageParam }) => call<RunPage>('GET', listPath(address, 50, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollOf(state.data?.pages.flatMap(({ data }) => data)),
  })

export const recentRunsQuery = (groupId: string, address: RunsAddress, limit: number) =>
  queryOptions({
    queryKey: [...runsKey(groupId), 'recent', address, limit],
    queryFn: async () => (await call<RunPage>('GET', listPath(address, limit, null))).data,
    refetchInterval: ({ state }) => pollOf(state.data),
  })

/** The stream keeps it current; reading it again covers what a lost connection missed. */
export const runQuery = (groupId: string, runId: string) =>
  queryOptions({
    queryKey: [...runsKey(groupId), 'one', runId],
    queryFn: () => call<Run>('GET', `/api/agent-runs/${encodeURIComponent(runId)}`),
    refetchInterval: ({ state }) =>
      state.data === undefined || hasEnded(state.data.status) ? false : restPoll,
  })
