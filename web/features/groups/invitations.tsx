import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { toast } from 'sonner'
import { adviceFor } from '../../api/advice.ts'
import { IconButton } from '../../ui/button.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { timeValue } from '../../ui/sorting.ts'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { invitationsQuery, useWithdrawInvitation } from './group-queries.ts'
import { roleNames } from './roles.ts'

/** Invitation links that were not used yet. */
export function Invitations({ groupId }: { groupId: string }) {
  const invitations = useQuery(invitationsQuery(groupId))
  const withdraw = useWithdrawInvitation(groupId)
  const remove = (id: string) =>
    withdraw.mutate(id, {
      onSuccess: () => toast.success('Invitation revoked'),
      onError: (error) => toast.error(adviceFor(error).title, { description: adviceFor(error).next }),
    })
  if (invitations.error)
    return <FailureNotice error={invitations.error} onRetry={() => invitations.refetch()} />
  if (!invitations.data?.length) return null
  return (
    <div>
      <h3 className="mb-3 text-base font-semibold">Open invitations</h3>
      <Table
        label="Open invitations"
        columns={['For', 'Role', 'Created', 'Expires', 'Actions']}
        rows={invitations.data}
        sortBy={{
          For: ({ email }) => email,
          Role: ({ role }) => role,
          Created: ({ created_at }) => timeValue(created_at),
          Expires: ({ expires_at }) => timeValue(expires_at),
        }}
      >
        {(invitation) => (
          <Row key={invitation.id}>
            <Cell part="lead" className="font-medium">
              {invitation.email ?? 'Anyone with the link'}
            </Cell>
            <Cell label="Role" className="text-sm">
              {roleNames[invitation.role]}
            </Cell>
            <Cell label="Created" className="text-sm text-ink-soft">
              <MomentText time={invitation.created_at} />
            </Cell>
            <Cell label="Expires" className="text-sm text-ink-soft">
              <MomentText time={invitation.expires_at} />
            </Cell>
            <Cell part="actions">
              <IconButton label="Revoke invitation" icon={X} onClick={() => remove(invitation.id)} />
            </Cell>
          </Row>
        )}
      </Table>
    </div>
  )
}
