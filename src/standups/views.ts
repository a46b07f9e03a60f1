import { add, decimal, writeDecimal, zero } from '#kernel/decimal'
import { rowJson } from '#kernel/rows'
import type { Standup, StandupSummary } from './contract.ts'
import { draftJson, proposalJson } from './json.ts'
import { listDrafts, waitingDrafts } from './store/draft-store.ts'
import { readEvents } from './store/event-store.ts'
import { listProposals } from './store/proposal-store.ts'
import type { Db, SessionRow } from './tables.ts'

export interface ViewDeps {
  db: Db
  /** What the requests of sessions cost, by model. */
  costs(
    groupId: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly { cost: string | null }[]>>
  maxCost: string
}

const maxEvents = 10_000

/** Sessions as the API shows them. */
export function createViews({ db, costs, maxCost }: ViewDeps) {
  async function summaries(groupId: string, rows: readonly SessionRow[]): Promise<StandupSummary[]> {
    const ids = rows.map(({ id }) => id)
    const [spent, waiting] = await Promise.all([costs(groupId, ids), waitingDrafts(db, ids)])
    return rows.map((row) => ({
      id: row.id,
      initiative_id: row.initiative_id,
      status: row.status,
      model: row.model,
      started_by: row.started_by_name,
      started_by_id: row.started_by,
      invited: row.invited,
      ...rowJson(row, ['started_at', 'last_activity_at', 'ended_at', 'ended_reason']),
      is_busy: row.work === 'turn' || row.is_waiting,
      last_event_id: Number(row.last_seq),
      message_count: row.message_count,
      drafts_waiting: waiting.get(row.id) ?? 0,
      cost: sumOf(spent.get(row.id) ?? []),
      max_cost: maxCost,
    }))
  }

  return {
    summaries,
    async whole(row: SessionRow): Promise<Standup> {
      // One moment of the database, so that the events end where the rest does.
      const [events, proposals, drafts] = await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(
          async (transaction) =>
            [
              await readEvents(transaction, row.id, 0, maxEvents),
              await listProposals(transaction, row.id),
              await listDrafts(transaction, row.id),
            ] as const,
        )
      const [summary] = await summaries(row.group_id, [row])
      if (!summary) throw new Error('a session has no summary')
      return {
        ...summary,
        last_event_id: events.at(-1)?.id ?? 0,
        brief: row.brief,
        events,
        proposals: proposals.map(proposalJson),
        artifacts: drafts.map(draftJson),
      }
    },
  }
}

export type Views = ReturnType<typeof createViews>

function sumOf(costs: readonly { cost: string | null }[]): string {
  return writeDecimal(costs.reduce((sum, { cost }) => (cost === null ? sum : add(sum, decimal(cost))), zero))
}
