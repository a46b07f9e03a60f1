import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { add, decimal, writeDecimal, zero } from '#kernel/decimal'
import type { AgentTables } from '../tables.ts'
import { listRunKeys } from './run-store.ts'

/** A request of the run in the usage log. */
export interface SpentCall {
  apiKeyId: string | null
  promptTokens: number
  completionTokens: number
  /** US dollars; null where no price is known. */
  cost: string | null
}

export interface Spending {
  calls: number
  inputTokens: number
  outputTokens: number
  /** Null where one of the calls has no known price. */
  cost: string | null
}

export type ReadCalls = (groupId: string, runId: string) => Promise<readonly SpentCall[]>

/** Only those with a key of the run: anybody may name its ID as their session. */
export function callsByRunKeys(db: Kysely<AgentTables>, read: ReadCalls): ReadCalls {
  return async (groupId, runId) => {
    const [calls, keys] = await Promise.all([read(groupId, runId), listRunKeys(db, runId)])
    return calls.filter(({ apiKeyId }) => apiKeyId !== null && keys.includes(apiKeyId))
  }
}

/** The usage log is the truth about what a run used, whatever its process says. */
export async function readSpending(
  read: ReadCalls,
  run: { id: string; group_id: string },
): Promise<Spending> {
  const calls = await read(run.group_id, run.id)
  const isPriced = calls.length > 0 && calls.every(({ cost }) => cost !== null)
  return {
    calls: calls.length,
    inputTokens: calls.reduce((sum, each) => sum + each.promptTokens, 0),
    outputTokens: calls.reduce((sum, each) => sum + each.completionTokens, 0),
    cost: isPriced
      ? writeDecimal(calls.reduce((sum, { cost }) => add(sum, decimal(cost ?? '0')), zero))
      : null,
  }
}

const settleMs = 3_000
const stepMs = 100

/** A call that another process served is in the log a moment later. */
export async function settledSpending(
  read: ReadCalls,
  run: { id: string; group_id: string },
  expectedCalls: number,
): Promise<Spending> {
  const deadline = Date.now() + settleMs
  for (;;) {
    const spending = await readSpending(read, run)
    if (spending.calls >= expectedCalls || Date.now() >= deadline) return spending
    await sleep(stepMs)
  }
}
