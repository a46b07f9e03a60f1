import type { ApprovalRow } from '../approvals/approval-store.ts'
import { boundHash } from '../approvals/bound-hash.ts'
import type { Attempt } from '../audit/audit.ts'
import type { SqlKind } from '../tables.ts'
import type { Kind } from '../classify/classification.ts'
import type { Caller } from './caller.ts'
import { Refusal } from '../refusal.ts'
import type { StoryDeps } from './deps.ts'
import { defaultAgent, judge, lawOf, refusalOf, type Judged } from './judge.ts'
import { withoutConstants } from '../classify/secrets.ts'
import { shapesOf, type Reading } from './reading.ts'

/** What calls of both routes have in common. */
export interface CallBody {
  database: string
  reason: string
  agent_id?: string | undefined
  approval_id?: string | undefined
  dry_run: boolean
}

/** A call that the policy does not refuse, with the approval that it brings. */
export interface Prepared {
  caller: Caller
  reading: Reading
  judged: Judged
  access: 'read' | 'write'
  hash: Buffer
  approval: ApprovalRow | undefined
}

/** Everything that can refuse a call before it touches the database. */
export async function prepared(
  deps: StoryDeps,
  caller: Caller,
  body: CallBody,
  given: {
    kind: Kind
    reading: Reading
    attempt: Attempt
    texts: readonly string[]
    params: readonly unknown[]
    isUndo?: boolean
  },
): Promise<Prepared> {
  const { kind, reading, attempt } = given
  if (reading.unreadable) throw reading.unreadable
  const { database } = body
  const groupId = caller.group.id
  const agentId = agentOf(caller, body.agent_id)
  if (body.agent_id !== undefined && body.agent_id !== agentId) throw otherAgent(agentId)
  const judged = await judgeLogged(
    deps,
    { groupId, database, kind, agentId, isUndo: given.isUndo === true },
    reading,
    attempt,
  )
  const { agent, decision } = judged
  attempt.policyVersion = agent.policy_version
  attempt.rule = decision.rule
  attempt.masked = judged.found.masked
  attempt.grantId = judged.grantId
  if (decision.decision === 'refuse') throw refusalOf(judged)
  const access = kind === 'execute' && reading.statements.every((each) => each.isReadOnly) ? 'read' : 'write'
  checkMode(caller, access, decision.decision === 'approve' && body.approval_id === undefined)
  const hash = boundHash({
    kind,
    database,
    texts: given.texts,
    params: given.params,
    access,
    agentId: agent.id,
    policyVersion: agent.policy_version,
  })
  return { caller, reading, judged, access, hash, approval: await findApproval(deps, caller, body, hash) }
}

/** Until it is known that it sets no masked column, also where that cannot be found out, the log has no constants of it. */
async function judgeLogged(
  deps: StoryDeps,
  call: Parameters<typeof judge>[1],
  reading: Reading,
  attempt: Attempt,
): Promise<Judged> {
  const law = await lawOf(deps, call)
  const whole = attempt.safeText
  if (law.rules.masks.length > 0) attempt.safeText = withoutConstants(whole)
  const judged = await judge(deps, call, reading, law)
  if (!judged.found.maySetMasked) attempt.safeText = whole
  return judged
}

/** A run is judged by the policy of its own agent, whatever it says. */
export const agentOf = ({ principal }: Caller, named: string | undefined): string =>
  principal.key?.run?.agentId ?? named ?? defaultAgent

const otherAgent = (id: string): Refusal =>
  new Refusal('agent_of_run', `This key belongs to a run of the agent "${id}", whose policy applies.`)

/** What a run's permission mode adds to the policy. */
function checkMode({ principal }: Caller, access: 'read' | 'write', asks: boolean): void {
  const mode = principal.key?.run?.mode
  if (mode === 'plan' && access === 'write')
    throw new Refusal('permission_mode', 'The run is in permission mode "plan", in which it only reads.')
  if (mode === 'dontAsk' && asks)
    throw new Refusal(
      'permission_mode',
      'This needs approval, and the run is in permission mode "dontAsk", in which nobody is asked.',
    )
}

async function findApproval(
  { approvals }: StoryDeps,
  { group, principal }: Caller,
  { approval_id: id }: CallBody,
  hash: Buffer,
): Promise<ApprovalRow | undefined> {
  if (id === undefined) return undefined
  const row = await approvals.find([group.id], id)
  approvals.examine(row, hash, principal.key?.run?.id)
  return row
}

/** An approval that is given or waits stands for the decision; otherwise the policy decides. */
export function nextStep({ judged, approval }: Prepared, { dry_run: isTrial }: CallBody): Step {
  if (isTrial) return 'try'
  if (approval) return approval.status === 'pending' ? 'wait' : 'run'
  return judged.decision.decision === 'approve' ? 'ask' : 'run'
}

type Step = 'try' | 'wait' | 'ask' | 'run'

export function attemptOf(
  caller: Caller,
  body: CallBody,
  given: { kind: SqlKind; text: string; reading: Reading },
): Attempt {
  const { reading } = given
  return {
    groupId: caller.group.id,
    kind: given.kind,
    database: body.database,
    text: given.text,
    safeText: reading.safeText,
    by: caller.executor,
    agentId: agentOf(caller, body.agent_id),
    policyVersion: null,
    reason: body.reason,
    operations: reading.operations,
    rule: null,
    approvalId: body.approval_id ?? null,
    shapes: shapesOf(reading),
  }
}
