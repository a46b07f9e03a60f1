import type { SummaryReport } from '../contract.ts'
import { figureOf } from '../figure.ts'
import { sumDeployments } from '../queries/deployments.ts'
import { sumDevlogs } from '../queries/devlogs.ts'
import { sumHealth } from '../queries/health.ts'
import type { Queryable } from '../queries/query.ts'
import { countOpen, openAt, sumTickets } from '../queries/tickets.ts'
import { scopeOf, toSums } from './deployments.ts'
import { withShare } from './devlogs.ts'
import { incidentsOf, resolutionOf, uptimeOf } from './health.ts'
import { currentOf, previousOf, toPeriod, type Scope } from './scope.ts'

const staleDays = 14

/** The headline figures of the four groups. */
export async function reportSummary(db: Queryable, scope: Scope): Promise<SummaryReport> {
  const { groupId, service, period } = scope
  const sumsOf = async (range: ReturnType<typeof currentOf>) => {
    const inGroup = { groupId, service, ...range }
    const [deployments, tickets, open, health, devlogs] = await Promise.all([
      sumDeployments(db, scopeOf(scope, range)),
      sumTickets(db, groupId, range),
      openAt(db, groupId, range.to),
      sumHealth(db, inGroup, resolutionOf(range.from)),
      sumDevlogs(db, inGroup),
    ])
    return {
      deployments: toSums(deployments.find((row) => row.service === null)),
      tickets,
      open,
      health,
      devlogs,
    }
  }
  // One after the other: this asks most of all routes, and others need connections too.
  const now = await sumsOf(currentOf(period))
  const before = await sumsOf(previousOf(period))
  const { stale } = await countOpen(db, groupId, staleDays)
  const figure = (read: (sums: typeof now) => number | null) => figureOf(read(now), read(before))
  return {
    period: toPeriod(period),
    days: period.days,
    deployments: {
      total: figure((sums) => sums.deployments.total),
      per_day: figure((sums) => sums.deployments.succeeded / period.days),
      success_rate: figure((sums) => sums.deployments.success_rate),
      average_build_seconds: figure((sums) => sums.deployments.average_build_seconds),
      lead_time_seconds: figure((sums) => sums.deployments.lead_time?.median_seconds ?? null),
    },
    tickets: {
      created: figure((sums) => sums.tickets.created),
      completed: figure((sums) => sums.tickets.completed),
      open: figure((sums) => sums.open),
      average_resolution_hours: figure((sums) => sums.tickets.average_resolution_hours),
      stale,
    },
    health: {
      uptime_percent: figure((sums) => uptimeOf(sums.health)),
      incidents: figure((sums) => incidentsOf(sums.health)),
    },
    devlogs: {
      total: figure((sums) => sums.devlogs.total),
      ai_share: figure((sums) => withShare(sums.devlogs).ai_share),
    },
  }
}
