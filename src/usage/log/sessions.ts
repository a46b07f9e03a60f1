import type { Kysely } from 'kysely'
import type { UsageTables } from '../tables.ts'
import { listCalls, sumRequests, sumSessions, type ModelCost, type SessionCall } from './session-store.ts'

/** What the sessions of coding assistants cost, by the keys that their requests carried. */
export interface SessionUsage {
  /** By model, the dearest first, with the requests of subagents. A key without requests is not in the map. */
  /** Without waiting for the journal, requests of the last seconds may be missing. */
  costs(
    groupId: string,
    keys: readonly string[],
    isWaiting?: boolean,
  ): Promise<ReadonlyMap<string, ModelCost[]>>
  /** All of them by model, the dearest first; a request that belongs to two of the keys counts once. */
  totals(groupId: string, keys: readonly string[]): Promise<ModelCost[]>
  /** The requests of a session or of a subagent, the newest first; at most 20,000. */
  calls(groupId: string, key: string): Promise<SessionCall[]>
}

const maxCalls = 20_000

export function createSessionUsage(db: Kysely<UsageTables>, caughtUp: () => Promise<void>): SessionUsage {
  return {
    async costs(groupId, keys, isWaiting = true) {
      if (keys.length === 0) return new Map()
      if (isWaiting) await caughtUp()
      const sums = await sumSessions(db, groupId, keys)
      return new Map(
        [...Map.groupBy(sums, ({ key }) => key)].map(([key, costs]) => [
          key,
          costs.map(({ model, requests, unpriced, cost }) => ({ model, requests, unpriced, cost })),
        ]),
      )
    },
    async totals(groupId, keys) {
      if (keys.length === 0) return []
      await caughtUp()
      return sumRequests(db, groupId, keys)
    },
    async calls(groupId, key) {
      await caughtUp()
      return listCalls(db, groupId, key, maxCalls)
    },
  }
}
