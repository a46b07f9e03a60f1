import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { Group, Member, Role } from '#access/contract'
import { adviceFor } from '../../api/advice.ts'
import { ApiError } from '../../api/client.ts'
import { membersQuery } from '../../api/members.ts'
import { useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { timeValue } from '../../ui/sorting.ts'
import { Table } from '../../ui/table.tsx'
import { MemberRow } from './member-row.tsx'
import { useChangeRole, useRemoveMember } from './group-queries.ts'
import { roleNames } from './roles.ts'

export function Members({ group }: { group: Group }) {
  const me = useMe()
  const members = useQuery(membersQuery(group.id))
  const changeRole = useChangeRole(group.id)
  const [leaving, setLeaving] = useState<Member | null>(null)
  const change = (member: Member, role: Role) =>
    changeRole.mutate(
      { userId: member.user_id, role },
      {
        onSuccess: () => toast.success(`${member.name} is now ${roleNames[role].toLowerCase()}`),
        onError: (error) => toast.error(adviceFor(error).title, { description: errorAdvice(error) }),
      },
    )
  if (members.error) return <FailureNotice error={members.error} onRetry={() => members.refetch()} />
  if (!members.data) return <ListSkeleton rows={2} />
  return (
    <>
      <Table
        label={`Members of ${group.name}`}
        columns={['Member', 'Joined', 'Role', 'Actions']}
        rows={members.data}
        sortBy={{
          Member: ({ name }) => name,
          Joined: ({ joined_at }) => timeValue(joined_at),
          Role: ({ role }) => role,
        }}
      >
        {(member) => (
          <MemberRow
            key={member.user_id}
            member={member}
            members={members.data}
            ownRole={group.role}
            isReader={member.user_id === me.user?.id}
            onChangeRole={(role) => change(member, role)}
            onRemove={() => setLeaving(member)}
          />
        )}
      </Table>
      {leaving && (
        <RemoveDialog
          group={group}
          member={leaving}
          isReader={leaving.user_id === me.user?.id}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  )
}

/** The one likely conflict: a group must keep an owner. */
function errorAdvice(error: unknown): string {
  const lastOwner = error instanceof ApiError && error.status === 409
  return lastOwner ? 'Make another member an owner first, then try again.' : adviceFor(error).next
}

interface RemoveDialogProps {
  group: Group
  member: Member
  isReader: boolean
  onClose: () => void
}

function RemoveDialog({ group, member, isReader, onClose }: RemoveDialogProps) {
  const remove = useRemoveMember(group.id, () => {
    toast.success(isReader ? `You left ${group.name}` : `${member.name} removed`)
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={isReader ? `Leave group “${group.name}”?` : `Remove ${member.name}?`}
      action={isReader ? 'Leave group' : 'Remove member'}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(member.user_id)}
    >
      <p>
        {isReader ? 'You lose' : `${member.name} loses`} access to this group, and{' '}
        {isReader ? 'your' : 'their'} keys in it are revoked. A new invitation is needed to return.
      </p>
    </ConfirmDialog>
  )
}
