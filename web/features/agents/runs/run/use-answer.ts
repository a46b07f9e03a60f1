import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { AnswerBody, WaitingFor } from '#agents/contract'
import { call } from '../../../../api/client.ts'
import { refreshQueries } from '../../../../api/refresh-queries.ts'
import { runsKey } from '../run-queries.ts'

/** What a person says to a run that waits for this; 409 where somebody else was faster. */
export function useAnswer(groupId: string, runId: string, { wait_id }: WaitingFor) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (answer: AnswerBody) =>
      call('POST', '/api/agent-runs/{run_id}/answer', {
        path: { run_id: runId },
        body: { ...answer, wait_id },
      }),
    onSuccess: () => toast.success('Answer sent'),
    onSettled: () => refreshQueries(queryClient, { queryKey: runsKey(groupId) }),
  })
}
