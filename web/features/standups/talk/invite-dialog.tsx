import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { membersQuery } from '../../../api/members.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { ChoiceField } from '../../../ui/text-field.tsx'
import type { ScreenProps } from '../screen.ts'
import { call } from '../../../api/client.ts'
import { useStandupCall } from '../standup-queries.ts'

/** A stand-up is one to one; here its speaker lets somebody else speak. */
export function InviteDialog({
  group,
  initiative,
  session,
  state,
  onClose,
}: ScreenProps & { onClose: () => void }) {
  const { data: members = [] } = useQuery(membersQuery(group.id))
  const speaking = new Set([session.started_by_id, ...state.invited.map(({ user_id }) => user_id)])
  const choices = members
    .filter(({ user_id, role }) => role !== 'viewer' && !speaking.has(user_id))
    .map(({ user_id, name }) => ({ id: user_id, label: name }))
  const [chosen, setChosen] = useState('')
  const invite = useStandupCall()
  const userId = chosen === '' ? (choices[0]?.id ?? '') : chosen
  return (
    <FormDialog
      title="Invite to speak"
      description="Everyone in the group can read along. Only the people you invite can speak."
      action="Invite"
      busy={invite.isPending}
      error={invite.error}
      onClose={onClose}
      onSubmit={() =>
        invite.mutate(
          () =>
            call('POST', '/api/initiatives/{id}/standup/invite', {
              path: { id: initiative.id },
              body: { user_id: userId },
            }),
          {
            onSuccess: () => {
              toast.success('Guest invited')
              onClose()
            },
          },
        )
      }
    >
      {choices.length === 0 ? (
        <p className="text-sm text-ink-soft">There is nobody else in the group to invite.</p>
      ) : (
        <ChoiceField label="Person" value={userId} choices={choices} onChange={setChosen} />
      )}
    </FormDialog>
  )
}
