import type { FastifySchema } from 'fastify'
import type { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import {
  deploymentsQuery,
  deploymentsReport,
  devlogsQuery,
  devlogsReport,
  healthQuery,
  healthReport,
  summaryQuery,
  summaryReport,
  ticketsQuery,
  ticketsReport,
  velocityQuery,
  velocityReport,
} from './contract.ts'
import { readPeriod, type PeriodInput } from './period.ts'
import type { Queryable } from './queries/query.ts'
import { reportDeployments } from './reports/deployments.ts'
import { reportDevlogs } from './reports/devlogs.ts'
import { reportHealth } from './reports/health.ts'
import { reportSummary } from './reports/summary.ts'
import { reportTickets } from './reports/tickets.ts'
import { reportVelocity } from './reports/velocity.ts'
import type { Scope } from './scope.ts'

const tags = ['Analytics']

interface Query extends PeriodInput {
  service?: string | undefined
  environment?: string | undefined
}

interface Described<Q extends z.ZodType<Query>, R extends z.ZodType> {
  path: string
  operationId: string
  summary: string
  description: string
  usualDays: number
  query: Q
  response: R
  report(scope: Scope, query: z.output<Q>): Promise<z.output<R>>
}

const noData = 'An average or a share of nothing is null.'

export function analyticsRoutes(app: Http, db: Queryable): void {
  function route<Q extends z.ZodType<Query>, R extends z.ZodType>(each: Described<Q, R>): void {
    // Its types are checked above: those of a route cannot follow from a schema that is not known yet.
    const schema: FastifySchema = {
      tags,
      operationId: each.operationId,
      summary: each.summary,
      description: `${each.description} Without a period: the last ${each.usualDays} days. ${noData}`,
      querystring: each.query,
      response: { 200: each.response },
    }
    app.get(
      `/api/analytics/${each.path}`,
      { config: { needs: 'read', inGroup: true }, schema },
      async (request) => {
        const query = request.query as z.output<Q>
        const groupId = groupOf(request).id
        const { service, environment } = query
        const period = await readPeriod(db, query, each.usualDays)
        return each.report({ groupId, period, service, environment }, query)
      },
    )
  }

  route({
    path: 'summary',
    operationId: 'getAnalyticsSummary',
    summary: 'Get the headline figures',
    description: 'Deployments, tickets, health and devlogs, each figure beside that of the period before.',
    usualDays: 7,
    query: summaryQuery,
    response: summaryReport,
    report: (scope) => reportSummary(db, scope),
  })
  route({
    path: 'deployments',
    operationId: 'getDeploymentAnalytics',
    summary: 'Get deployment statistics',
    description: 'How often, how well and how fast is deployed, by day, week and service.',
    usualDays: 30,
    query: deploymentsQuery,
    response: deploymentsReport,
    report: (scope) => reportDeployments(db, scope),
  })
  route({
    path: 'tickets/flow',
    operationId: 'getTicketFlow',
    summary: 'Get the flow of tickets',
    description:
      'Created and completed by day with the number that is open, how long it takes, and what is stale.',
    usualDays: 30,
    query: ticketsQuery,
    response: ticketsReport,
    report: (scope, query) => reportTickets(db, scope, query.stale_days),
  })
  route({
    path: 'velocity',
    operationId: 'getVelocity',
    summary: 'Get velocity and the DORA metrics',
    description:
      'Per week, and the five DORA metrics. Without `environment` those are of production: environments whose name begins with prod, production or live.',
    usualDays: 84,
    query: velocityQuery,
    response: velocityReport,
    report: (scope) => reportVelocity(db, scope),
  })
  route({
    path: 'health',
    operationId: 'getHealthAnalytics',
    summary: 'Get uptime and incidents',
    description: 'Per service: uptime, coverage, incidents and the history of its checks.',
    usualDays: 7,
    query: healthQuery,
    response: healthReport,
    report: (scope) => reportHealth(db, scope),
  })
  route({
    path: 'devlogs',
    operationId: 'getDevlogAnalytics',
    summary: 'Get devlog activity',
    description: 'Per service, by people and by AI, by day and by hour of the week.',
    usualDays: 30,
    query: devlogsQuery,
    response: devlogsReport,
    report: (scope) => reportDevlogs(db, scope),
  })
}
