import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Agent } from '#agents/contract'
import { call } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { agentsQuery } from '../../api/agents.ts'
import { agentQuery } from './agent-queries.ts'

/** Asks first, then leads back to the list. What the server refuses is said in the dialog. */
export function DeleteAgent({ groupId, agent }: { groupId: string; agent: Agent }) {
  const [open, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call('DELETE', '/api/agents/{id}', { path: { id: agent.id } }),
    onSuccess: async () => {
      toast.success('Agent deleted')
      // First away from its page, which would load the agent again and not find it.
      await navigate({ to: '/agents' })
      queryClient.removeQueries(agentQuery(groupId, agent.id))
      await refreshQueries(queryClient, agentsQuery(groupId))
    },
  })
  const close = () => {
    setOpen(false)
    remove.reset()
  }
  return (
    <>
      <Button look="quiet" icon={Trash2} onClick={() => setOpen(true)}>
        Delete agent
      </Button>
      <ConfirmDialog
        open={open}
        onClose={close}
        title={`Delete “${agent.name}”?`}
        action="Delete agent"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        <p>Nobody can ask it any more, and its approvals can no longer be used. This cannot be undone.</p>
        <p>Its runs, its versions and the audit log are kept.</p>
      </ConfirmDialog>
    </>
  )
}
