import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agentsQuery } from '../api/agents.ts'
import { useCurrentGroup } from '../api/session.ts'

/** What agents are called; a deleted one has only its ID. */
export function useAgentName(): (id: string) => string {
  const groupId = useCurrentGroup()?.id ?? ''
  const { data } = useQuery({ ...agentsQuery(groupId), enabled: groupId !== '' })
  return (id) => data?.find((agent) => agent.id === id)?.name ?? id
}

export function AgentLink({ id, className }: { id: string; className: string }) {
  const nameOf = useAgentName()
  return (
    <Link to="/agents/$id" params={{ id }} className={className}>
      {nameOf(id)}
    </Link>
  )
}
