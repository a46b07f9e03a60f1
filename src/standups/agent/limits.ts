import { LoopStop } from '#kernel/agent-loop'
import { add, decimal, subtract, writeDecimal, zero } from '#kernel/decimal'

/** The requests of a session in the usage log. */
export interface SessionCalls {
  calls(
    groupId: string,
    key: string,
  ): Promise<readonly { promptTokens: number; completionTokens: number; cost: string | null }[]>
}

export interface Limits {
  /** US dollars as decimal text. */
  maxCost: string
  maxTokens: number
}

/** Throws when the session has used up what it may cost. */
export async function checkLimits(
  usage: SessionCalls,
  { maxCost, maxTokens }: Limits,
  session: { id: string; group_id: string },
): Promise<void> {
  const calls = await usage.calls(session.group_id, session.id)
  const cost = calls.reduce((sum, call) => (call.cost === null ? sum : add(sum, decimal(call.cost))), zero)
  if (subtract(cost, decimal(maxCost)).digits >= 0n)
    throw new LoopStop(
      'cost_limit',
      `The stand-up has cost $${writeDecimal(cost)} and may cost $${maxCost}. End it, and start another.`,
    )
  const tokens = calls.reduce(
    (sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens,
    0,
  )
  if (tokens >= maxTokens)
    throw new LoopStop(
      'token_limit',
      `The stand-up has used ${tokens} tokens and may use ${maxTokens}. End it, and start another.`,
    )
}
