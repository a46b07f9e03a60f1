import { Fault, faults } from '#kernel/errors'
import { mask } from '#kernel/mask'
import type { ExplainBody, PolicyExplanation } from '../contract.ts'
import { Refusal } from '../refusal.ts'
import type { StoryDeps } from './deps.ts'
import { defaultAgent, findPolicy, judge, type Judged } from './judge.ts'
import { isMaskable, maskRefused } from './masked-text.ts'
import { readTexts, type Reading } from './reading.ts'

/** What would happen with a statement, and why. Nothing runs, so nothing is in the audit log. */
export async function explain(
  deps: StoryDeps,
  groupId: string,
  { database, sql, agent_id: agentId = defaultAgent }: ExplainBody,
  owner: string,
): Promise<PolicyExplanation> {
  const { agent, policy } = await findPolicy(deps, groupId, agentId).catch((error: unknown) => {
    throw error instanceof Refusal ? new Fault(faults.conflict, error.message) : error
  })
  const reading = await readTexts(deps.classifier, [sql], 'execute', owner)
  const about = {
    operations: reading.operations,
    functions: reading.functions,
    agent_id: agent.id,
    policy_version: agent.policy_version,
    environment: policy.environment,
  }
  if (reading.unreadable) {
    const { reason, message, position } = reading.unreadable
    const needed = 'A text that PostgreSQL can parse.'
    const nothing = { masked: [], grant_id: null }
    return {
      ...about,
      ...nothing,
      decision: 'refuse',
      rule: reason,
      position,
      needed,
      message: mask(message),
    }
  }
  const judged = await judge(deps, { groupId, database, kind: 'execute', agentId }, reading)
  const { decision, found, grantId } = await withMasks(deps, reading, judged)
  return { ...about, ...decision, message: mask(decision.message), masked: found.masked, grant_id: grantId }
}

/** A query in which the masks have no place is refused when it is sent, so also here. */
async function withMasks(deps: StoryDeps, reading: Reading, judged: Judged): Promise<Judged> {
  if (judged.decision.decision === 'refuse' || (await isMaskable(deps, reading, judged))) return judged
  return maskRefused(reading, judged)
}
