import { z } from 'zod'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Metrics } from '#kernel/metrics'
import type { Http } from './types.ts'

export interface HealthDeps {
  config: Config
  database: Database
  metrics: Metrics
  isStopping: () => boolean
}

const anyone = { needs: 'anyone' } as const
const ready = z.object({
  status: z.enum(['ready', 'degraded', 'stopping', 'unavailable']),
  database: z.enum(['ok', 'down']),
})
const tags = ['Process']

export function healthRoutes(app: Http, deps: HealthDeps): void {
  app.get(
    '/livez',
    {
      config: anyone,
      schema: {
        tags,
        summary: 'Is the process alive',
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
      schema: { tags, summary: 'Should traffic come here', response: { 200: ready, 503: ready } },
    },
    async (_request, reply) => {
      const database = (await answers(deps.database)) ? 'ok' : 'down'
      if (deps.isStopping()) return reply.code(503).send({ status: 'stopping', database })
      if (database === 'ok') return reply.send({ status: 'ready', database })
      // The gateway goes on serving known keys while the database is away: taking it out would make it worse.
      if (deps.config.ROLES.has('gateway')) return reply.send({ status: 'degraded', database })
      return reply.code(503).send({ status: 'unavailable', database })
    },
  )

  app.get(
    '/metrics',
    { config: { needs: 'read' }, schema: { tags, summary: 'Prometheus metrics' } },
    async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.metrics.text()),
  )
}

async function answers(database: Database): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000).unref())
  const asked = database.pool.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([asked, timeout])
}
