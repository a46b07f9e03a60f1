import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { Agent } from '#agents/contract'
import { call, type Given } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { agentsKey } from '../../api/agents.ts'

/** A change of an agent; 409 where somebody else was faster. */
export function useAgentChange(groupId: string, agent: Agent) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: Given<'PATCH', '/api/agents/{id}'>['body']) =>
      call('PATCH', '/api/agents/{id}', {
        path: { id: agent.id },
        body: { ...change, version: agent.version },
      }),
    onSuccess: async () => {
      await refreshQueries(queryClient, { queryKey: agentsKey(groupId) })
      toast.success('Agent updated')
    },
  })
}
