import type { ConfigOf } from '../config.ts'
import type { Finding, Kind } from '../kind.ts'
import { dollarUnits } from '../../units.ts'
import { dollars } from '../words.ts'

/** A share of a limit is used: each percentage once until the limit starts again; of several at once only the largest. */
export const budget: Kind<ConfigOf<'budget'>> = {
  severity: 'warning',
  isOnce: true,
  ends: 'silently',
  async find({ groupId, sources }, { limit_id: limitId, at }): Promise<Finding[]> {
    const limit = await sources.limitUse(groupId, limitId)
    if (!limit || Number(limit.amount) === 0) return []
    const percent = Number((dollarUnits(limit.used) * 100n) / dollarUnits(limit.amount))
    const reached = at.findLast((each) => each <= percent)
    if (reached === undefined) return []
    const show = (value: string): string => (limit.metric === 'cost' ? dollars(value) : value)
    const until = limit.resetsAt
      ? ` until ${limit.resetsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
      : ''
    return [
      {
        thing: `limit:${limitId}:${limit.resetsAt?.toISOString() ?? 'total'}:${limit.amount}:${reached}`,
        title: `${limit.name}: ${percent} % used, ${show(limit.used)} of ${show(limit.amount)}`,
        text: `It has to last${until}. Raise the limit, or see in Usage who uses it.`,
        path: `/limits?limit=${limitId}`,
        data: { limit_id: limitId, percent, used: limit.used, amount: limit.amount, metric: limit.metric },
      },
    ]
  },
}
