import { boundsOf } from '../calendar.ts'
import type { SummaryReport } from '../contract.ts'
import { figureOf, shareOf } from '../figure.ts'
import { countDeployments } from '../queries/deployments.ts'
import { countDevlogSteps } from '../queries/devlogs.ts'
import { sumHealth } from '../queries/health.ts'
import type { Queryable } from '../queries/query.ts'
import { countOpen, countTickets } from '../queries/tickets.ts'
import { toPeriod, type Scope } from '../scope.ts'
import { incidentsOf, resolutionOf, uptimeOf } from './health.ts'
import { sumsOf, withOpen } from './tickets.ts'

const staleDays = 14
/** Places in `boundsOf`; between the two lies what belongs to neither period. */
const [before, now] = [0, 2]

/** The headline figures of the four groups. */
export async function reportSummary(db: Queryable, scope: Scope): Promise<SummaryReport> {
  const { groupId, service, period } = scope
  const steps = boundsOf(period)
  const healthOf = (from: Date, to: Date) =>
    sumHealth(db, { groupId, service, from, to, tz: period.tz }, resolutionOf(from))
  const [deployments, devlogs, tickets, { open, stale }, health, healthBefore] = await Promise.all([
    countDeployments(db, scope, steps, false),
    countDevlogSteps(db, scope, steps),
    countTickets(db, groupId, period, steps),
    countOpen(db, groupId, staleDays),
    healthOf(period.from, period.to),
    healthOf(period.previousFrom, period.previousTo),
  ])
  const sumsIn = (step: number) => {
    const units = [{ name: '', first: step, last: step + 1 }]
    const { human = 0, ai = 0 } = devlogs.find((each) => each.step === step) ?? {}
    return {
      deployments: deployments.sums.find((row) => row.is_current === (step === now)),
      tickets: sumsOf(tickets, units, step === now),
      open: withOpen(units, tickets.steps, open)[0]?.open ?? 0,
      health: step === now ? health : healthBefore,
      devlogs: { human, ai },
    }
  }
  const [current, previous] = [sumsIn(now), sumsIn(before)]
  const figure = (read: (sums: typeof current) => number | null) => figureOf(read(current), read(previous))
  return {
    period: toPeriod(period),
    days: period.days,
    deployments: {
      total: figure((sums) => sums.deployments?.total ?? 0),
      per_day: figure((sums) => (sums.deployments?.succeeded ?? 0) / period.days),
      success_rate: figure(({ deployments: row }) =>
        row ? shareOf(row.succeeded, row.succeeded + row.failed) : null,
      ),
      average_build_seconds: figure((sums) => sums.deployments?.average_build_seconds ?? null),
      lead_time_seconds: figure((sums) => sums.deployments?.lead_seconds?.[0] ?? null),
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
      total: figure(({ devlogs: { human, ai } }) => human + ai),
      ai_share: figure(({ devlogs: { human, ai } }) => shareOf(ai, human + ai)),
    },
  }
}
