import { useState } from 'react'
import { UserMinus } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { Group, Member, Role } from '#access/contract'
import { adviceFor } from '../../api/advice.ts'
import { ApiError } from '../../api/client.ts'
import { limitsQuery } from '../../api/limits.ts'
import { membersQuery } from '../../api/members.ts'
import { useCurrentGroup, useMe } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { LimitBars, limitsFor } from '../limits/index.ts'
import { useChangeRole, useRemoveMember } from './group-queries.ts'
import { MemberName, MemberRole } from './member-cells.tsx'
import { grantableRoles, isOnlyOwner, roleNames, whyFixed } from './roles.ts'

export function Members({ group }: { group: Group }) {
  const me = useMe()
  const current = useCurrentGroup()
  const members = useQuery(membersQuery(group.id))
  const limits = useQuery(limitsQuery(group.id))
  const limitsOf = (member: Member) => limitsFor(limits.data ?? [], 'user', member.user_id)
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
  const isReader = ({ user_id }: Member) => user_id === me.user?.id
  const choices = grantableRoles(group.role)
  const fixedFor = (member: Member) => whyFixed(member, members.data, group.role)
  return (
    <>
      <Table
        label={`Members of ${group.name}`}
        rows={members.data}
        rowKey={({ user_id }) => user_id}
        columns={[
          {
            name: 'Member',
            value: ({ name }) => name,
            cell: (member) => (
              <MemberName member={member} isReader={isReader(member)} isLinked={group.id === current?.id} />
            ),
          },
          { name: 'Joined', time: ({ joined_at }) => joined_at },
          ...(members.data.some((member) => limitsOf(member).length > 0)
            ? [
                {
                  name: 'Limits',
                  cell: (member: Member) => <LimitBars limits={limitsOf(member)} of={member.name} />,
                },
              ]
            : []),
          {
            name: 'Role',
            value: ({ role }) => role,
            cell: (member) => (
              <MemberRole
                member={member}
                choices={choices}
                fixed={fixedFor(member)}
                onChange={(role) => change(member, role)}
              />
            ),
            className: 'md:w-40',
          },
          {
            name: 'Actions',
            cell: (member) =>
              ((isReader(member) && !isOnlyOwner(member, members.data)) ||
                (choices.length > 0 && fixedFor(member) === undefined)) && (
                <IconButton
                  label={isReader(member) ? 'Leave group' : `Remove ${member.name}`}
                  icon={UserMinus}
                  onClick={() => setLeaving(member)}
                />
              ),
          },
        ]}
      />
      {leaving && (
        <RemoveDialog
          group={group}
          member={leaving}
          isReader={isReader(leaving)}
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
