import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { toast } from 'sonner'
import { adviceFor } from '../../api/advice.ts'
import { IconButton } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
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
        rows={invitations.data}
        rowKey={({ id }) => id}
        columns={[
          {
            name: 'For',
            value: ({ email }) => email,
            cell: ({ email }) => email ?? 'Anyone with the link',
            className: 'font-medium',
          },
          {
            name: 'Role',
            value: ({ role }) => role,
            cell: ({ role }) => roleNames[role],
            className: 'text-sm',
          },
          { name: 'Created', time: ({ created_at }) => created_at },
          { name: 'Expires', time: ({ expires_at }) => expires_at },
          {
            name: 'Actions',
            cell: ({ id }) => <IconButton label="Revoke invitation" icon={X} onClick={() => remove(id)} />,
          },
        ]}
      />
    </div>
  )
}
