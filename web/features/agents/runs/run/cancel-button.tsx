import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleStop } from 'lucide-react'
import { toast } from 'sonner'
import { call } from '../../../../api/client.ts'
import { refreshQueries } from '../../../../api/refresh-queries.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { runsKey } from '../run-queries.ts'

export function CancelButton({ groupId, runId }: { groupId: string; runId: string }) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call('POST', '/api/agent-runs/{run_id}/cancel', { path: { run_id: runId } }),
    onSuccess: async () => {
      setAsking(false)
      toast.success('Run cancelled')
      await refreshQueries(queryClient, { queryKey: runsKey(groupId) })
    },
  })
  return (
    <>
      <Button icon={CircleStop} onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Cancel this run?"
        action="Cancel run"
        onConfirm={() => cancel.mutate()}
        busy={cancel.isPending}
        error={cancel.error}
      >
        <p>The agent stops at once. What it has already changed stays changed.</p>
      </ConfirmDialog>
    </>
  )
}
