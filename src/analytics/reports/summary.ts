import type { SummaryReport } from '../contract.ts'
import { figureOf, shareOf } from '../figure.ts'
import { readDeployments } from '../days/deployments.ts'
import { readDevlogs } from '../days/devlogs.ts'
import type { Span } from '../days/read-days.ts'
import { sumHealth } from '../queries/health.ts'
import type { Queryable } from '../queries/query.ts'
import { headlineOf } from '../sums/deployments.ts'
import { sumDevlogs } from '../sums/devlogs.ts'
import { ticketHeadlineOf } from '../sums/tickets.ts'
import { chosenBy } from './deployments.ts'
import { withShare } from './devlogs.ts'
import { incidentsOf, resolutionOf, uptimeOf } from './health.ts'
import { currentOf, previousOf, spansOf, toPeriod, type Scope } from './scope.ts'
import { readFlow } from './tickets.ts'

const staleDays = 14

/** The headline figures of the four groups. */
export async function reportSummary(db: Queryable, scope: Scope): Promise<SummaryReport> {
  const { groupId, service, period } = scope
  const spans = spansOf(period)
  const { current, previous, both } = spans
  const healthOf = (range: ReturnType<typeof currentOf>) =>
    sumHealth(db, { groupId, service, ...range }, resolutionOf(range.from))
  const [deployments, devlogs, flow, health, healthBefore] = await Promise.all([
    readDeployments(db, chosenBy(scope), both),
    readDevlogs(db, groupId, both),
    readFlow(db, groupId, spans, staleDays),
    healthOf(currentOf(period)),
    healthOf(previousOf(period)),
  ])
  const sumsOf = (span: Span, checks: typeof health) => ({
    deployments: headlineOf(deployments, span),
    tickets: ticketHeadlineOf(flow.tickets, span),
    open: flow.openAtEnd(span),
    health: checks,
    devlogs: sumDevlogs(devlogs, span, service)[0],
  })
  const now = sumsOf(current, health)
  const before = sumsOf(previous, healthBefore)
  const figure = (read: (sums: typeof now) => number | null) => figureOf(read(now), read(before))
  return {
    period: toPeriod(period),
    days: period.days,
    deployments: {
      total: figure((sums) => sums.deployments.total),
      per_day: figure((sums) => sums.deployments.succeeded / period.days),
      success_rate: figure(({ deployments: { succeeded, failed } }) =>
        shareOf(succeeded, succeeded + failed),
      ),
      average_build_seconds: figure((sums) => sums.deployments.average_build_seconds),
      lead_time_seconds: figure((sums) => sums.deployments.median_lead_seconds),
    },
    tickets: {
      created: figure((sums) => sums.tickets.created),
      completed: figure((sums) => sums.tickets.completed),
      open: figure((sums) => sums.open),
      average_resolution_hours: figure((sums) => sums.tickets.average_resolution_hours),
      stale: flow.stale,
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
