import { useQuery } from '@tanstack/react-query'
import type { Run } from '#agents/contract'
import type { CurrentGroup } from '../../../../api/session.ts'
import { agentQuery } from '../../agent-queries.ts'
import { AgentModel, AgentModelProblem } from '../../models/agent-model.tsx'

/** Errors that another model, or a key of its provider, puts right. */
const titles: Record<string, string> = {
  no_provider_key: 'The group has no key for the provider of this model',
  model_not_found: 'No provider of the group has this model',
}

/** The model of the agent, and what to do where the run failed because of it. An agent that is gone has none. */
export function RunModel({ group, run }: { group: CurrentGroup; run: Run }) {
  const { data: agent } = useQuery({ ...agentQuery(group.id, run.agent_id), retry: false })
  if (!agent) return null
  const title = titles[run.error?.code ?? '']
  return title === undefined ? (
    <AgentModel group={group} agent={agent} />
  ) : (
    <AgentModelProblem group={group} agent={agent} title={title} />
  )
}
