import type { AgentPolicy, PolicySource } from '../approvals/approvals.ts'
import type { Classifier, Kind } from '../classify/classification.ts'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Environment } from '../database/tables.ts'
import { decide } from '../policy/decide.ts'
import type { Query } from '../policy/fact-rows.ts'
import { readFacts, type Facts } from '../policy/facts.ts'
import type { Decision, Policy } from '../policy/policy.ts'
import { Refusal } from '../refusal.ts'
import { applyRules, noFindings, type RuleFindings } from '../rules/apply.ts'
import { hasRules, type Rules } from '../rules/rules.ts'
import type { RuleRows } from '../rules/rule-store.ts'
import type { Runner } from '../run/runner.ts'
import type { Reading } from './reading.ts'

export const defaultAgent = 'data-engineer'

export interface JudgeDeps {
  agents: PolicySource
  classifier: Classifier
  runner: Runner
  /** Of the database, and grants that run now. */
  findRules(at: DatabaseOfGroup, agentId: string): Promise<RuleRows>
}

export interface Judged {
  agent: AgentPolicy
  policy: Policy
  decision: Decision
  rules: Rules
  /** What the rules by table and column found. */
  found: RuleFindings
  grantId: string | null
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

interface JudgedCall extends DatabaseOfGroup {
  kind: Kind
  agentId: string | undefined
  isUndo?: boolean
}

/** What applies to a call. Nothing of it is asked of the database that is called. */
export interface Law {
  agent: AgentPolicy
  policy: Policy
  isAllowed: boolean
  rules: Rules
}

export async function lawOf(deps: JudgeDeps, call: JudgedCall): Promise<Law> {
  const { agent, policy: own } = await findPolicy(deps, call.groupId, call.agentId)
  const isAllowed = own.allowed_databases.includes(call.database)
  const policy = isAllowed ? strictest(own, await deps.runner.environmentOf(call)) : own
  const stored = isAllowed ? await deps.findRules(call, agent.id) : noRules
  return { agent, policy, isAllowed, rules: rulesOf(policy, stored) }
}

/** What the policy says about what was read. Facts about functions come from the database itself. */
export async function judge(deps: JudgeDeps, call: JudgedCall, reading: Reading, law?: Law): Promise<Judged> {
  const { agent, policy, isAllowed, rules } = law ?? (await lawOf(deps, call))
  const { statements } = reading
  const facts = isAllowed ? await factsOf(deps, call, reading) : noFacts
  const granted = rules.grants.flatMap(({ operations }) => operations)
  const input = { database: call.database, statements, policy, kind: call.kind, ...facts }
  const decision = decide({ ...input, granted })
  // Also where the policy refuses: the log must not keep constants of masked columns.
  const found =
    !isAllowed || !hasRules(rules)
      ? noFindings()
      : await applyRules(sourcesOf(deps, call, reading), rules, {
          statements,
          kind: call.kind,
          hidden: facts.hidden,
          isUndo: call.isUndo === true,
        })
  const byGrant = granted.length > 0 && decide(input).decision !== decision.decision
  return {
    agent,
    policy,
    rules,
    found,
    decision:
      found.refusal && decision.decision !== 'refuse' ? { decision: 'refuse', ...found.refusal } : decision,
    grantId:
      (decision.decision === 'refuse' ? undefined : found.grants[0]) ??
      (byGrant ? (rules.grants.find(({ operations }) => operations.length > 0)?.id ?? null) : null),
  }
}

const noRules: RuleRows = { masks: [], grants: [] }

function rulesOf({ tables, masked_columns: masks = [] }: Policy, stored: RuleRows): Rules {
  return {
    allow: tables?.allow ?? null,
    deny: tables?.deny ?? [],
    masks: [...masks, ...stored.masks],
    grants: stored.grants,
  }
}

const noFacts: Facts = { functions: new Map(), hidden: [] }

function sourcesOf({ runner, classifier }: JudgeDeps, at: DatabaseOfGroup, { owner }: Reading) {
  const query: Query = (sql, values) => runner.lookUp(at, sql, values, owner)
  return { query, readCode: (sql: string) => classifier.classify(sql, 'migrate', owner) }
}

async function factsOf(deps: JudgeDeps, at: DatabaseOfGroup, reading: Reading): Promise<Facts> {
  const { query, readCode } = sourcesOf(deps, at, reading)
  return readFacts(query, reading.statements, readCode)
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
