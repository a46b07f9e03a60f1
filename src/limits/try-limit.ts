import { writeDecimal } from '#kernel/decimal'
import type { TriedLimit } from './limit-shapes.ts'
import type { SpentRequest, UsageForLimits } from './deps.ts'
import type { Ledger } from './ledger.ts'
import { unitsOf } from './ledger.ts'
import type { KnownLimit } from './limit.ts'
import { dollarUnits, type Units } from './units.ts'
import { windowAt } from './windows.ts'

const days = 30
const dayMs = 86_400_000
const maxRequests = 200_000

interface Day {
  requests: number
  blocked: number
  cost: Units
  blockedCost: Units
}

/**
 * What a limit would have refused in the last 30 days, by the requests in the usage log: one that would have been
 * refused uses nothing, so that the next one may still have had room.
 */
export async function tryLimit(
  limit: KnownLimit,
  { ledger, usage }: { ledger: Ledger; usage: Pick<UsageForLimits, 'requests' | 'caughtUp'> },
): Promise<TriedLimit> {
  await usage.caughtUp()
  const now = new Date()
  const since = windowAt('day', new Date(now.getTime() - (days - 1) * dayMs), limit.timeZone).startsAt
  const requests = await usage.requests(await ledger.filterOf(limit, since, null), maxRequests)
  const isComplete = requests.length < maxRequests
  const byDay = new Map<string, Day>()
  const isBlocked = limit.metric === 'concurrent' ? atOnce(limit) : inWindows(limit)
  for (const request of requests) {
    const date = dateIn(request.startedAt, limit.timeZone)
    const day = byDay.get(date) ?? { requests: 0, blocked: 0, cost: 0n, blockedCost: 0n }
    byDay.set(date, day)
    const cost = dollarUnits(request.cost ?? '0')
    day.requests++
    day.cost += cost
    if (!isBlocked(request)) continue
    day.blocked++
    day.blockedCost += cost
  }
  const listed = [...byDay].map(([date, day]) => ({ date, ...day }))
  return {
    would_have_blocked: {
      requests: listed.reduce((sum, { blocked }) => sum + blocked, 0),
      cost: dollars(listed.reduce((sum, { blockedCost }) => sum + blockedCost, 0n)),
    },
    days: listed.map(({ date, requests: all, blocked, cost, blockedCost }) => ({
      ...{ date, requests: all, blocked },
      cost: dollars(cost),
      blocked_cost: dollars(blockedCost),
    })),
    is_complete: isComplete,
    since: (isComplete ? since : (requests[0]?.startedAt ?? since)).toISOString(),
  }
}

/** Refused when nothing is left of its window. */
function inWindows(limit: KnownLimit): (request: SpentRequest) => boolean {
  let startsAt = -1
  let endsAt = -1
  let used = 0n
  return ({ startedAt, cost, tokens }) => {
    const at = startedAt.getTime()
    if (startsAt < 0 || (endsAt >= 0 && at >= endsAt)) {
      const span = windowAt(limit.window, startedAt, limit.timeZone)
      startsAt = span.startsAt.getTime()
      endsAt = span.endsAt?.getTime() ?? -1
      used = 0n
    }
    if (cost === null && limit.metric === 'cost' && limit.unpriced === 'block') return true
    const need = unitsOf(limit.metric, { cost: cost ?? '0', tokens, requests: '1' })
    if (need > 0n && used >= limit.amount) return true
    used += need
    return false
  }
}

/** Refused when as many as allowed are running. */
function atOnce(limit: KnownLimit): (request: SpentRequest) => boolean {
  let running: number[] = []
  return ({ startedAt, durationMs }) => {
    const at = startedAt.getTime()
    running = running.filter((end) => end > at)
    if (BigInt(running.length) >= limit.amount) return true
    running.push(at + durationMs)
    return false
  }
}

const dollars = (units: Units): string => writeDecimal({ digits: units, places: 12 })

const formats = new Map<string, Intl.DateTimeFormat>()

function dateIn(at: Date, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return format.format(at)
}
