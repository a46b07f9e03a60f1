import type { ModelCost } from '../contract.ts'

/** What requests of sessions cost, by the ids that assistants send. */
export interface SessionCosts {
  /** Without waiting, requests of the last seconds may be missing. */
  costs(
    groupId: string,
    keys: readonly string[],
    isWaiting?: boolean,
  ): Promise<ReadonlyMap<string, ModelCost[]>>
  /** The newest first, with those of subagents. */
  calls(groupId: string, key: string): Promise<readonly GatewayCall[]>
}

/** A request in the usage log. */
export interface GatewayCall {
  requestId: string
  subagentKey: string | null
  model: string
  endpoint: string
  startedAt: Date
  endedAt: Date
  statusCode: number
  errorMessage: string | null
  promptTokens: number
  completionTokens: number
  cost: string | null
}
