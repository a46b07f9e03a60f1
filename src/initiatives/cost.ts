import { add, decimal, writeDecimal } from '#kernel/decimal'
import type { InitiativeCost } from './contract.ts'
import { listLinks } from './store/detail-store.ts'
import type { Queries } from './tables.ts'

interface ModelCost {
  model: string
  requests: number
  unpriced: number
  cost: string | null
}

/** What other parts know about the requests of an initiative. */
export interface CostSources {
  /** How requests name the sessions of these transcripts; those that do not exist are left out. */
  transcriptKeys(groupId: string, ids: readonly string[]): Promise<readonly { id: string; key: string }[]>
  /** The stand-ups of the initiative, newest first. */
  standups(initiativeId: string): Promise<readonly { id: string; title: string; key: string }[]>
  /** By session, with its subagents. */
  costs(groupId: string, keys: readonly string[]): Promise<ReadonlyMap<string, readonly ModelCost[]>>
  /** By model, each request once. */
  totals(groupId: string, keys: readonly string[]): Promise<readonly ModelCost[]>
}

const rule =
  'Counted are requests in the usage log that carry the session of a linked transcript or of a stand-up of this initiative. Everything else is unattributed: work whose transcript is not linked, and calls that did not go through the gateway.'

/** What the linked transcripts and the stand-ups of an initiative cost, from the usage log. */
export async function costOf(
  db: Queries,
  sources: CostSources,
  { id, group_id: groupId }: { id: string; group_id: string },
): Promise<InitiativeCost> {
  const links = (await listLinks(db, id)).filter(({ kind }) => kind === 'transcript')
  const [found, standups] = await Promise.all([
    sources.transcriptKeys(
      groupId,
      links.map(({ target }) => target),
    ),
    sources.standups(id),
  ])
  const titles = new Map(links.map(({ target, title }) => [target, title]))
  const sessions = [
    ...found.map((session) => ({
      ...session,
      kind: 'transcript' as const,
      title: titles.get(session.id) ?? session.id,
    })),
    ...standups.map((session) => ({ ...session, kind: 'standup' as const })),
  ]
  const keys = sessions.map(({ key }) => key)
  const [bySession, byModel] = await Promise.all([
    sources.costs(groupId, keys),
    sources.totals(groupId, keys),
  ])
  const withCosts = sessions.map(({ key, ...session }) => ({ ...session, ...sum(bySession.get(key) ?? []) }))
  return {
    exact: sum(byModel),
    by_model: byModel.map(({ model, ...counts }) => ({ model, ...sum([counts]) })),
    sources: withCosts
      .filter(({ requests }) => requests > 0)
      .toSorted((a, b) => Number(b.cost ?? 0) - Number(a.cost ?? 0)),
    unattributed: {
      transcripts_without_requests: withCosts.filter(
        ({ kind, requests }) => kind === 'transcript' && requests === 0,
      ).length,
      missing_transcripts: links.length - found.length,
      rule,
    },
  }
}

function sum(costs: readonly Omit<ModelCost, 'model'>[]): InitiativeCost['exact'] {
  const known = costs.flatMap(({ cost }) => (cost === null ? [] : [decimal(cost)]))
  return {
    requests: costs.reduce((total, { requests }) => total + requests, 0),
    unpriced_requests: costs.reduce((total, { unpriced }) => total + unpriced, 0),
    cost: known.length === 0 ? null : writeDecimal(known.reduce(add)),
  }
}
