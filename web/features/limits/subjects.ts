import { useQuery } from '@tanstack/react-query'
import type { Limit } from '#limits/contract'
import { keysQuery } from '../../api/keys.ts'
import { membersQuery } from '../../api/members.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { providerName } from '../../ui/provider-name.ts'

/** How a subject is called: keys and people by their names. */
export function useSubjectName(group: CurrentGroup): (subject: Limit['subject']) => string {
  const keys = useQuery(keysQuery(group.id))
  const members = useQuery(membersQuery(group.id))
  return ({ type, id }) => {
    const text = id ?? ''
    if (type === 'group') return `Group ${group.name}`
    if (type === 'api_key') return keys.data?.find((key) => key.id === text)?.name ?? 'A deleted key'
    if (type === 'provider') return providerName(text)
    if (type !== 'user') return text
    const label = labelOf(text)
    if (label !== undefined) return `user “${label}”`
    return members.data?.find((member) => member.user_id === text)?.name ?? 'Someone who left'
  }
}

/** The `user` of requests, where it is not a person of ours. */
const labelOf = (id: string): string | undefined =>
  id.startsWith('label:') ? id.slice('label:'.length) : undefined
