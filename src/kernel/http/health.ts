import { z } from 'zod'
import type { Principal } from '#kernel/auth'
import { problemsOf, type Database } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Metrics } from '#kernel/metrics'
import { principalOf } from './guard.ts'
import type { RouteDocs } from './openapi/index.ts'
import type { Http } from './types.ts'

export type DatabaseState = 'ok' | 'down'
/** Whether traffic should come here; a degraded process can still serve some of it. */
export type Readiness = 'ready' | 'degraded' | 'unavailable'

export interface HealthDeps {
  database: Database
  metrics: Metrics
  isStopping: () => boolean
  /** How well the parts can serve, given the state of the database. */
  readiness(database: DatabaseState): Promise<Readiness>
  /** What is wrong besides the database. */
  problems(): string[]
  /** The first group belongs to the operator of the installation. */
  isInFirstGroup(principal: Principal): Promise<boolean>
}

const anyone = {
  needs: 'anyone',
  open: 'Load balancers and supervisors have no credentials.',
} as const
const ready = z.object({
  status: z.enum(['ready', 'degraded', 'stopping', 'unavailable']),
  database: z.enum(['ok', 'down']),
  problems: z
    .array(z.string())
    .optional()
    .meta({
      description: 'What else is wrong, if anything.',
      examples: [['requests cannot be written to the usage journal']],
    }),
})
const tags = ['Server']

const metricsDocs: RouteDocs = {
  response: {
    200: {
      description: 'Metrics in the text format of Prometheus.',
      content: {
        'text/plain': { schema: z.string(), example: 'process_cpu_seconds_total 12.5\n' },
      },
    },
  },
}

export function healthRoutes(app: Http, deps: HealthDeps): void {
  // Of its own: a pool that is busy says nothing about the database.
  const { pool } = deps.database.openPool({ max: 1, silentMs: 5_000 })

  app.get(
    '/livez',
    {
      config: anyone,
      schema: {
        tags,
        operationId: 'getLiveness',
        summary: 'Check that the process is alive',
        response: { 200: z.object({ status: z.literal('alive') }) },
      },
    },
    () => ({
      status: 'alive' as const,
    }),
  )

  app.get(
    '/readyz',
    {
      config: anyone,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check that the server can take traffic',
        description:
          'While the database is unavailable, a server with the gateway stays in service: it knows the keys it has seen. A gateway that refuses requests, because they cannot be written to the usage journal, returns 503.',
        response: { 200: ready, 503: ready.describe('Not ready, or stopping.') },
      },
    },
    async (_request, reply) => {
      const database = (await answers(pool)) ? 'ok' : 'down'
      if (deps.isStopping()) return reply.code(503).send({ status: 'stopping', database })
      const ofConnection = problemsOf(deps.database.listener.lastHeartbeat())
      const parts = await deps.readiness(database)
      const status = parts === 'ready' && ofConnection.length > 0 ? 'degraded' : parts
      const problems = [...deps.problems(), ...(database === 'ok' ? ofConnection : [])]
      return reply
        .code(status === 'unavailable' ? 503 : 200)
        .send({ status, database, ...(problems.length > 0 && { problems }) })
    },
  )

  app.get(
    '/metrics',
    {
      config: { needs: 'read', firstGroupOnly: true, docs: metricsDocs },
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Get metrics for Prometheus',
        description: 'They are of the whole server: only members and keys of the first group can read them.',
      },
    },
    async (request, reply) => {
      if (!(await deps.isInFirstGroup(principalOf(request))))
        throw new Fault(
          faults.forbidden,
          'Metrics cover the whole server. Use an API key of the first group.',
        )
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.metrics.text())
    },
  )
}

async function answers(pool: Database['pool']): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000).unref())
  const asked = pool.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([asked, timeout])
}
