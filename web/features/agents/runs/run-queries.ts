import { queryOptions } from '@tanstack/react-query'
import type { Run } from '#agents/contract'
import { call } from '../../../api/client.ts'
import { pagesQuery } from '../../../api/pages.ts'
import type { RunsAddress } from './run-address.ts'
import { hasEnded } from './run-words.ts'

export const runsKey = (groupId: string) => ['agent-runs', groupId] as const

const activePoll = 3_000
const restPoll = 15_000

const pollOf = (runs: readonly Run[] | undefined): number =>
  runs?.some(({ status }) => !hasEnded(status)) ? activePoll : restPoll

const queryOf = ({ agent, status }: RunsAddress, limit: number) => ({
  limit,
  agent_id: agent,
  status,
})

type RunPages = { state: { data?: { pages: { data: Run[] }[] } | undefined } }

/** The newest first, reloaded more often while one of them is active. */
export const runsQuery = (groupId: string, address: RunsAddress) => ({
  ...pagesQuery(runsKey(groupId), '/api/agent-runs', { query: queryOf(address, 50) }),
  refetchInterval: ({ state }: RunPages) => pollOf(state.data?.pages.flatMap(({ data }) => data)),
})

export const recentRunsQuery = (groupId: string, address: RunsAddress, limit: number) =>
  queryOptions({
    queryKey: [...runsKey(groupId), 'recent', address, limit],
    queryFn: async () => (await call('GET', '/api/agent-runs', { query: queryOf(address, limit) })).data,
    refetchInterval: ({ state }) => pollOf(state.data),
  })

export const runsOfPersonQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...runsKey(groupId), 'of person', id],
    queryFn: async () =>
      (await call('GET', '/api/agent-runs', { query: { started_by: id, limit: 10 } })).data,
  })

/** The stream keeps it current; reading it again covers what a lost connection missed. */
export const runQuery = (groupId: string, runId: string) =>
  queryOptions({
    queryKey: [...runsKey(groupId), 'one', runId],
    queryFn: () => call('GET', '/api/agent-runs/{run_id}', { path: { run_id: runId } }),
    refetchInterval: ({ state }) =>
      state.data === undefined || hasEnded(state.data.status) ? false : restPoll,
  })
