import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { defaultModel, type Agent } from '#agents/contract'
import { defaultsQuery, useSetDefault } from '../../../api/default-models.ts'
import { modelsQuery } from '../../../api/models.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useAgentChange } from '../use-agent-change.ts'
import { ModelOffer } from './model-offer.tsx'

const linkLook = 'text-accent underline underline-offset-2'

interface AgentModelProps {
  group: CurrentGroup
  agent: Agent
}

/** The model that the next run of an agent uses, and where it is set. */
export function AgentModel({ group, agent }: AgentModelProps) {
  const model = useModelOf(group.id, agent)
  if (model === undefined) return null
  const isDefault = agent.model === defaultModel
  return (
    <p className="text-xs text-ink-faint">
      {'Model: '}
      <span className="font-mono [overflow-wrap:anywhere]">{model}</span>
      {isDefault ? ', the ' : ', set in the '}
      {isDefault ? (
        <Link to="/agents" hash="default-models" className={linkLook}>
          default of agents
        </Link>
      ) : (
        <Link to="/agents/$id" params={{ id: agent.id }} hash="agent-settings" className={linkLook}>
          settings of the agent
        </Link>
      )}
    </p>
  )
}

/** Where the model of an agent does not work as it is: one that does, or the page for keys. */
export function AgentModelProblem({ group, agent, title }: AgentModelProps & { title?: string }) {
  const model = useModelOf(group.id, agent)
  const isServed = useIsServed(group.id, model)
  const setDefault = useSetDefault(group.id, 'agents')
  const change = useAgentChange(group.id, agent)
  if (model === undefined || (title === undefined && isServed !== false)) return null
  const isDefault = agent.model === defaultModel
  return (
    <Notice tone="warning" title={title ?? `No provider of the group serves ${model}`}>
      <p>
        {isDefault
          ? 'It is the default model of agents. Choose another, or add a key of its provider.'
          : 'It is set for this agent. Choose another, or add a key of its provider.'}
      </p>
      <ModelOffer
        group={group}
        model={model}
        busy={setDefault.isPending || change.isPending}
        error={setDefault.error ?? change.error}
        onChoose={(chosen) => (isDefault ? setDefault.mutate(chosen) : change.mutate({ model: chosen }))}
      />
    </Notice>
  )
}

function useModelOf(groupId: string, agent: Agent): string | undefined {
  const { data } = useQuery(defaultsQuery(groupId))
  if (agent.model !== defaultModel) return agent.model
  return data?.data.find(({ use }) => use === 'agents')?.model
}

/** Undefined while it is not known. */
function useIsServed(groupId: string, model: string | undefined): boolean | undefined {
  const { data: models } = useQuery(modelsQuery(groupId))
  const { data: defaults } = useQuery(defaultsQuery(groupId))
  if (!models || !defaults || model === undefined) return undefined
  return models.some(({ id }) => id === model) || defaults.suggestions.some((each) => each.model === model)
}
