import type { AccessForLimits, Spent, SpentFilter, UsageForLimits } from './deps.ts'
import type { Metric } from './limit-shapes.ts'
import type { KnownLimit } from './limit.ts'
import { dollarUnits, type Units } from './units.ts'
import { stepMs, type Step } from './window-store.ts'
import type { Span } from './windows.ts'

/** A request may run so long; one that runs longer is not counted again. */
const longestMs = 2 * 3_600_000

/** What the usage log says about the subject of a limit. */
export function createLedger({ usage, access }: { usage: UsageForLimits; access: AccessForLimits }) {
  async function filterOf(
    limit: KnownLimit,
    startedFrom: Date,
    startedBefore: Date | null,
  ): Promise<SpentFilter> {
    const { type, id } = limit.subject
    const filter = { groupId: limit.groupId, startedFrom, startedBefore }
    if (id === null) return filter
    if (type === 'api_key') return { ...filter, apiKeyIds: [id] }
    if (type === 'provider') return { ...filter, provider: id }
    if (type === 'tag') return { ...filter, tag: id }
    if (type === 'model')
      return { ...filter, ...(id.includes('*') ? { modelLike: likeOf(id) } : { model: id }) }
    if (id.startsWith(labelPrefix)) return { ...filter, userLabel: id.slice(labelPrefix.length) }
    return { ...filter, apiKeyIds: await access.keysOf(limit.groupId, id) }
  }

  return {
    filterOf,
    /** What requests of a window used that ended before a moment. */
    async usedBefore(limit: KnownLimit, span: Span, before: Date): Promise<Units> {
      const filter = await filterOf(limit, span.startsAt, span.endsAt)
      return unitsOf(limit.metric, await usage.spent(filter, before))
    },
    /** The same of those that ended in a range of time, step by step. */
    async steps(limit: KnownLimit, span: Span, { from, to }: { from: Date; to: Date }): Promise<Step[]> {
      const earliest = Math.max(span.startsAt.getTime(), from.getTime() - longestMs)
      const filter = await filterOf(limit, new Date(earliest), span.endsAt)
      const rows = await usage.spentByEnd(filter, { from, to, stepMs })
      return rows
        .map((row) => ({ from: row.from, amount: unitsOf(limit.metric, row) }))
        .filter(({ amount }) => amount > 0n)
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>

export const labelPrefix = 'label:'

export function unitsOf(metric: Metric, { cost, tokens, requests }: Spent): Units {
  if (metric === 'cost') return dollarUnits(cost)
  return BigInt(metric === 'tokens' ? tokens : metric === 'requests' ? requests : 0)
}

const likeOf = (name: string): string => name.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll(/\*+/g, '%')
