import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CurrentStandup, Standup } from '#standups/contract'
import { ApiError, call } from '../../api/client.ts'
import { readMessages } from '../../api/server-sent-events.ts'
import { initiativesKey, pathOf } from '../initiatives/index.ts'

export const currentStandupQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standup', id],
    queryFn: () => call<CurrentStandup>('GET', `${pathOf(id)}/standup`),
    // The page follows the events of the session; this is only where it begins.
    staleTime: 0,
  })

export const sessionQuery = (groupId: string, id: string, sessionId: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standup', id, sessionId],
    queryFn: () => call<Standup>('GET', `${pathOf(id)}/standups/${encodeURIComponent(sessionId)}`),
    staleTime: 0,
  })

/** The cost is settled after each response: `moment` names the response. */
export const sessionCostQuery = (groupId: string, { id, initiative_id }: Standup, moment: string) =>
  queryOptions({
    queryKey: ['standup-cost', groupId, id, moment],
    queryFn: async () => {
      const { cost, max_cost } = await call<Standup>('GET', `${pathOf(initiative_id)}/standups/${id}`)
      return { cost, max_cost }
    },
    placeholderData: (before) => before,
  })

/** Anything that a person does in a stand-up; what follows from it comes with the events. */
export function useStandupCall<Result = unknown>(id: string) {
  return useMutation({
    mutationFn: ({ path, body }: { path: string; body?: unknown }) =>
      call<Result>('POST', `${pathOf(id)}/standup/${path}`, body ?? {}),
  })
}

/** Starts a stand-up, or joins the one that somebody else has started meanwhile. */
export function useStart(groupId: string, id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => start(groupId, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: initiativesKey(groupId) }),
  })
}

/** The start is a stream. It continues without a reader, so the first piece of it is enough. */
async function start(groupId: string, id: string): Promise<void> {
  const response = await fetch(`${pathOf(id)}/standup`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'x-group-id': groupId },
  }).catch(() => {
    throw new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
  })
  if (!response.ok || !response.body) throw await refusal(response)
  for await (const { messages } of readMessages(response.body)) if (messages.length > 0) return
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string; param?: string | null }
  }
  const {
    code = 'unknown',
    message = `The server returned ${response.status}.`,
    param = null,
  } = body.error ?? {}
  return new ApiError(response.status, code, message, param)
}
