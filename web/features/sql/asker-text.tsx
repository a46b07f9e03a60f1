import { Link } from '@tanstack/react-router'
import type { AskedBy } from '#sql/contract'
import { useAgentName } from '../../ui/agent-name.tsx'

/** In one line: the person, and the agent that asked for them. `otherwise`: the key, where nobody is known. */
export function useAskerName(): (askedBy: AskedBy, otherwise: string) => string {
  const nameOf = useAgentName()
  return ({ user, agent_id: agent, agent_version: version, run_id }, otherwise) => {
    const person = user?.name ?? otherwise
    return run_id === null || agent === null
      ? person
      : `${person}, with ${nameOf(agent)} (version ${version})`
  }
}

/** Who is behind a statement, with a link to the run and what it was asked for. */
export function AskerText({ askedBy, otherwise }: { askedBy: AskedBy; otherwise: string }) {
  const { run_id, request } = askedBy
  const askerName = useAskerName()
  return (
    <>
      {askerName(askedBy, otherwise)}
      {run_id !== null && (
        <>
          {', '}
          <Link className="text-accent hover:underline" to="/agents/runs/$runId" params={{ runId: run_id }}>
            see the run
          </Link>
        </>
      )}
      {request !== null && <span className="mt-1 line-clamp-6 block text-ink-soft">“{request}”</span>}
    </>
  )
}
