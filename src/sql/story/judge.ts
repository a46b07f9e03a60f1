import { notFound } from '#kernel/errors'
import type { AgentPolicy, PolicySource } from '../approvals/approvals.ts'
import type { Classifier, Kind } from '../classify/classification.ts'
import { decide } from '../policy/decide.ts'
import { readFacts, type Facts } from '../policy/facts.ts'
import type { Decision, Policy } from '../policy/policy.ts'
import { Refusal } from '../refusal.ts'
import type { Runner } from '../run/runner.ts'
import type { Reading } from './reading.ts'

export const defaultAgent = 'data-engineer'

export interface JudgeDeps {
  agents: PolicySource
  classifier: Classifier
  runner: Runner
  /** The databases belong to this group; for others they do not exist. */
  firstGroupId(): Promise<string>
}

export interface Judged {
  agent: AgentPolicy
  policy: Policy
  decision: Decision
}

/** Whose policy applies; 404 where the group has no such agent. */
export async function findPolicy(
  { agents }: JudgeDeps,
  groupId: string,
  agentId: string = defaultAgent,
): Promise<{ agent: AgentPolicy; policy: Policy }> {
  const agent = await agents.find(groupId, agentId)
  const { policy } = agent.config
  if (policy === null)
    throw new Refusal('no_policy', `The agent "${agent.id}" has no policy, so it may not use databases.`)
  return { agent, policy }
}

/** What the policy says about what was read. Facts about functions come from the database itself. */
export async function judge(
  deps: JudgeDeps,
  call: { groupId: string; database: string; kind: Kind; agentId: string | undefined },
  reading: Reading,
): Promise<Judged> {
  const { agent, policy } = await findPolicy(deps, call.groupId, call.agentId)
  const { statements } = reading
  const facts = policy.allowed_databases.includes(call.database)
    ? await factsOf(deps, call, reading)
    : noFacts
  const decision = decide({ database: call.database, statements, policy, kind: call.kind, ...facts })
  return { agent, policy, decision }
}

const noFacts: Facts = { functions: new Map(), hidden: [] }

async function factsOf(
  { runner, classifier, firstGroupId }: JudgeDeps,
  { groupId, database }: { groupId: string; database: string },
  { statements }: Reading,
): Promise<Facts> {
  if ((await firstGroupId()) !== groupId) throw notFound(`The database ${database}`)
  return readFacts((sql, values) => runner.lookUp(database, sql, values), statements, classifier)
}

export const refusalOf = ({ agent, decision }: Judged): Refusal =>
  new Refusal(
    decision.rule,
    `${decision.message} (rule ${decision.rule}, policy of the agent "${agent.id}", version ${agent.policy_version})`,
    decision.position,
  )
