import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Standup } from '#standups/contract'
import { addressOf, ApiError, call, errorOf } from '../../api/client.ts'
import { readMessages } from '../../api/server-sent-events.ts'
import { initiativesKey } from '../initiatives/index.ts'

export const currentStandupQuery = (groupId: string, id: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standup', id],
    queryFn: () => call('GET', '/api/initiatives/{id}/standup', { path: { id } }),
    // The page follows the events of the session; this is only where it begins.
    staleTime: 0,
  })

const fetchStandup = (id: string, session_id: string) =>
  call('GET', '/api/initiatives/{id}/standups/{session_id}', { path: { id, session_id } })

export const sessionQuery = (groupId: string, id: string, sessionId: string) =>
  queryOptions({
    queryKey: [...initiativesKey(groupId), 'standup', id, sessionId],
    queryFn: () => fetchStandup(id, sessionId),
    staleTime: 0,
  })

/** The cost is settled after each response: `moment` names the response. */
export const sessionCostQuery = (groupId: string, { id, initiative_id }: Standup, moment: string) =>
  queryOptions({
    queryKey: ['standup-cost', groupId, id, moment],
    queryFn: async () => {
      const { cost, max_cost } = await fetchStandup(initiative_id, id)
      return { cost, max_cost }
    },
    placeholderData: (before) => before,
  })

/** Anything that a person does in a stand-up; what follows from it comes with the events. */
export const useStandupCall = () => useMutation({ mutationFn: (send: () => Promise<unknown>) => send() })

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
  const response = await fetch(addressOf('/api/initiatives/{id}/standup', { path: { id } }), {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'x-group-id': groupId },
  }).catch(() => {
    throw new ApiError(0, 'unreachable', 'Can’t reach Signalbox.', null)
  })
  if (!response.ok || !response.body)
    throw errorOf(response.status, await response.json().catch(() => undefined))
  for await (const { messages } of readMessages(response.body)) if (messages.length > 0) return
}
