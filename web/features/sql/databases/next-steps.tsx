import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, ChevronRight } from 'lucide-react'
import { toast } from 'sonner'
import type { OfferedDatabase, Policy } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { useChange } from '../../../api/refresh-queries.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { agentsQuery, sqlKey } from '../sql-queries.ts'

interface NextStepsProps {
  group: CurrentGroup
  database: OfferedDatabase
  onSetUp: () => void
}

/** From a new database to the first query, until agents can use it; then which agents to ask. */
export function NextSteps({ group, database, onSetUp }: NextStepsProps) {
  const { data: agents } = useQuery(agentsQuery(group.id))
  const allow = useAllow(group.id, database.name)
  if (!agents) return null
  const { name, is_set_up, available } = database
  const allowing = agents.filter((agent) => policyOf(agent)?.allowed_databases.includes(name))
  const agent = agents.find(({ id }) => id === 'data-engineer')
  const isAllowed = allowing.length > 0
  if (isAllowed && available.read.ok) return <AgentsToAsk agents={allowing} />
  const isUsable = available.read.ok && available.write.ok
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="mb-2 text-sm font-semibold">Next steps</h3>
      <ol className="space-y-3">
        <Step
          number={1}
          isDone={is_set_up}
          title="Set it up for agents"
          text={
            isUsable && !is_set_up
              ? 'Optional: the login of the address works as it is. A set-up gives agents weak roles of their own.'
              : 'Creates weak roles for the agents, with an administrator’s address or as a script for your DBA.'
          }
        >
          <Button size="small" look={isUsable ? 'plain' : 'primary'} onClick={onSetUp}>
            Set up
          </Button>
        </Step>
        <Step
          number={2}
          isDone={isAllowed}
          title={agent ? `Allow it in the policy of ${agent.name}` : 'Allow it in the policy of an agent'}
          text="Until then every statement in it is refused. A changed policy ends approvals that are still open."
        >
          {agent && policyOf(agent) ? (
            <Button
              size="small"
              look={isUsable || is_set_up ? 'primary' : 'plain'}
              busy={allow.isPending}
              onClick={() => allow.mutate(agent)}
              aria-label={`Allow ${name} for ${agent.name}`}
            >
              Allow
            </Button>
          ) : (
            <Link to="/agents" className={buttonClass('plain', 'small')}>
              Agents
            </Link>
          )}
        </Step>
        <Step
          number={3}
          isDone={false}
          title="Run the first query"
          text="In the console, with the tables beside the editor."
        >
          <Link to="/sql" search={{ database: name }} className={buttonClass('plain', 'small')}>
            Open console <ChevronRight aria-hidden className="size-4" />
          </Link>
        </Step>
      </ol>
      {allow.error && (
        <div className="mt-3">
          <FailureNotice error={allow.error} />
        </div>
      )}
    </div>
  )
}

function AgentsToAsk({ agents }: { agents: readonly Agent[] }) {
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3 text-sm">
      {agents.map(({ id, name }) => (
        <Link key={id} to="/agents/$id" params={{ id }} className="text-accent hover:underline">
          Ask {name}
        </Link>
      ))}
    </p>
  )
}

interface StepProps {
  number: number
  isDone: boolean
  title: string
  text: string
  /** What does it, as long as it is not done. */
  children: ReactNode
}

function Step({ number, isDone, title, text, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <span
        aria-hidden
        className={
          isDone
            ? 'grid size-6 shrink-0 place-items-center rounded-full bg-success-soft text-success'
            : 'grid size-6 shrink-0 place-items-center rounded-full border border-line-strong text-xs text-ink-soft'
        }
      >
        {isDone ? <Check className="size-3.5" /> : number}
      </span>
      <span className="min-w-0 flex-1 basis-60">
        <span className="block font-medium">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>
        {!isDone && <span className="block text-ink-soft">{text}</span>}
      </span>
      {!isDone && <span className="pl-9 sm:pl-0">{children}</span>}
    </li>
  )
}

interface Agent {
  id: string
  name: string
  version: number
  config: { policy: unknown }
}

const policyOf = ({ config }: Pick<Agent, 'config'>) => config.policy as Policy | null

/** Adds the database to the policy; everything else in it stays as it is. */
function useAllow(groupId: string, database: string) {
  return useChange(sqlKey(groupId), async (agent: Agent) => {
    const policy = policyOf(agent)
    if (!policy) return
    await call('PATCH', '/api/agents/{id}', {
      path: { id: agent.id },
      body: {
        version: agent.version,
        config: { policy: { ...policy, allowed_databases: [...policy.allowed_databases, database] } },
      },
    })
    toast.success(`${agent.name} may use ${database} now`)
  })
}
