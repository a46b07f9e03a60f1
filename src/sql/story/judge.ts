import type { AgentPolicy, PolicySource } from '../approvals/approvals.ts'
import type { Classifier, Kind } from '../classify/classification.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Environment } from '../database/tables.ts'
import { decide } from '../policy/decide.ts'
import type { Query } from '../policy/fact-rows.ts'
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
  const { agent, policy: own } = await findPolicy(deps, call.groupId, call.agentId)
  const { statements } = reading
  const isAllowed = own.allowed_databases.includes(call.database)
  const policy = isAllowed ? strictest(own, await deps.runner.environmentOf(call)) : own
  const facts = isAllowed ? await factsOf(deps, call, reading) : noFacts
  const decision = decide({ database: call.database, statements, policy, kind: call.kind, ...facts })
  return { agent, policy, decision }
}

const noFacts: Facts = { functions: new Map(), hidden: [] }

async function factsOf(
  { runner, classifier }: JudgeDeps,
  at: DatabaseOfGroup,
  { statements, owner }: Reading,
): Promise<Facts> {
  const query: Query = (sql, values) => runner.lookUp(at, sql, values, owner)
  return readFacts(query, statements, (sql) => classifier.classify(sql, 'migrate', owner))
}

const byStrictness = ['dev', 'staging', 'prod'] as const

/** The database and the policy each name an environment; the stricter one applies. */
function strictest(policy: Policy, database: Environment | null): Policy {
  const at = (each: Environment): number => byStrictness.indexOf(each)
  if (database === null || at(database) <= at(policy.environment)) return policy
  return { ...policy, environment: database }
}

export const refusalOf = ({ agent, decision }: Judged): Refusal =>
  new Refusal(
    decision.rule,
    `${decision.message} (rule ${decision.rule}, policy of the agent "${agent.id}", version ${agent.policy_version})`,
    decision.position,
  )
