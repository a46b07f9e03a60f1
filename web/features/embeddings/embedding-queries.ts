import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Health, StatusResponse, Task } from '#embeddings/contract'
import { ApiError, call } from '../../api/client.ts'

const whileBusyMs = 2_000
const atRestMs = 10_000

/** The vector of a text, and how long this browser waited for it. */
export const vectorQuery = (groupId: string, text: string, task: Task) =>
  queryOptions({
    queryKey: ['embeddings', groupId, 'vector', text, task],
    queryFn: async () => {
      const start = performance.now()
      const embedded = await call('POST', '/api/v1/embed', { body: { text, task } })
      return { ...embedded, milliseconds: performance.now() - start }
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })

export const vectorsQuery = (groupId: string, texts: readonly string[]) =>
  queryOptions({
    queryKey: ['embeddings', groupId, 'vectors', texts],
    queryFn: () => call('POST', '/api/v1/embed/batch', { body: { texts, task: 'clustering' } }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })

export const isBusy = ({ queue }: StatusResponse): boolean =>
  queue.interactive + queue.background + queue.running > 0

export const statusQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['embeddings', groupId, 'status'],
    queryFn: () => call('GET', '/api/v1/embeddings/status'),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? whileBusyMs : atRestMs),
  })

export const runtimeModelsQuery = (groupId: string) =>
  queryOptions({
    queryKey: ['embeddings', groupId, 'models'],
    queryFn: () => call('GET', '/api/v1/models'),
    retry: false,
  })

/** An unhealthy server returns 503 with its health in the body, which is not an error here. */
async function fetchHealth(): Promise<Health> {
  const response = await fetch('/health', { headers: { accept: 'application/json' } }).catch(() => {
    throw new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
  })
  const health = (await response.json().catch(() => undefined)) as Health | undefined
  if (health?.status === undefined)
    throw new ApiError(response.status, 'unknown', 'The server did not report the status of the model.', null)
  return health
}

export const modelHealthQuery = queryOptions({
  queryKey: ['embeddings', 'health'],
  queryFn: fetchHealth,
  refetchInterval: atRestMs,
})
