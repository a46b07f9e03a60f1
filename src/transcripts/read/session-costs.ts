import type { ModelCost } from '../contract.ts'

/** What requests of sessions cost, by the ids that assistants send. */
export interface SessionCosts {
  costs(groupId: string, keys: readonly string[]): Promise<ReadonlyMap<string, ModelCost[]>>
  calls(groupId: string, key: string): Promise<readonly unknown[]>
}
