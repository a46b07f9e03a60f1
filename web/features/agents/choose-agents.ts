import { Bot, Workflow } from 'lucide-react'
import { call } from '../../api/client.ts'
import type { Find } from '../../shell/feature.ts'
import { agentsQuery } from '../../api/agents.ts'

const holds = (text: string, ...names: readonly string[]): boolean =>
  names.some((name) => name.toLowerCase().includes(text.toLowerCase()))

export const findAgents: Find = async (text, { groupId, queryClient }) =>
  (await queryClient.ensureQueryData(agentsQuery(groupId)))
    .filter(({ id, name }) => holds(text, id, name))
    .map(({ id, name }) => ({ id, label: name, kind: 'Agent', icon: Bot, go: { to: `/agents/${id}` } }))

/** Runs that wait for an answer. */
export const findWaitingRuns: Find = async (text) => {
  const { data } = await call('GET', '/api/agent-runs', { query: { status: 'waiting', limit: 50 } })
  return data
    .filter(({ agent_id, request }) => holds(text, agent_id, request))
    .map(({ run_id: id, agent_id, request }) => ({
      ...{ id, label: request, kind: agent_id, icon: Workflow },
      go: { to: `/agents/runs/${id}` },
    }))
}
