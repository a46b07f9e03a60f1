import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { membersQuery } from '../../api/members.ts'

/** A member of the group by name. */
export function PersonLink({ groupId, id }: { groupId: string; id: string }) {
  const { data } = useQuery(membersQuery(groupId))
  const member = data?.find(({ user_id }) => user_id === id)
  if (!member) return data ? 'Somebody who left' : '…'
  return (
    <Link to="/people/$id" params={{ id }} className="hover:underline">
      {member.name}
    </Link>
  )
}
