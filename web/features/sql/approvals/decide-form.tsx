import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { toast } from 'sonner'
import type { Approval } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { sqlKey } from '../sql-queries.ts'

/** Approves or rejects a statement that waits; says why where the person may not. */
export function DecideForm({ groupId, approval }: { groupId: string; approval: Approval }) {
  const queryClient = useQueryClient()
  const [note, setNote] = useState('')
  const decide = useMutation({
    mutationFn: (verb: 'approve' | 'reject') =>
      call('POST', `/api/v1/sql/approvals/{id}/${verb}`, {
        path: { id: approval.id },
        body: note.trim() === '' ? {} : { note: note.trim() },
      }),
    onSuccess: (_after, verb) => toast.success(verb === 'approve' ? 'Approved' : 'Rejected'),
    onSettled: () => refreshQueries(queryClient, { queryKey: sqlKey(groupId) }),
  })
  if (!approval.may_decide)
    return (
      <Notice tone="info" title="You cannot decide this">
        {approval.needs_other_person
          ? 'Four eyes: another admin or owner than the one who asked decides.'
          : 'An admin or owner of the group decides.'}
      </Notice>
    )
  return (
    <div className="space-y-3">
      <Input
        aria-label="Note"
        placeholder="Note (optional)"
        maxLength={1_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex gap-2">
        <Button
          look="primary"
          icon={Check}
          busy={decide.isPending && decide.variables === 'approve'}
          onClick={() => decide.mutate('approve')}
        >
          Approve
        </Button>
        <Button
          icon={X}
          busy={decide.isPending && decide.variables === 'reject'}
          onClick={() => decide.mutate('reject')}
        >
          Reject
        </Button>
      </div>
      {decide.error && <FailureNotice error={decide.error} />}
    </div>
  )
}
