import { z } from 'zod'
import { groupOf, listOf, type Http } from '#kernel/http'
import { lowestId } from '#kernel/uuid'
import { routeShare } from '../contract.ts'
import { startOfDay } from './id-time.ts'
import { countByRoute } from './route-shares-store.ts'
import type { LogRouteDeps } from './routes.ts'

export function routeShareRoute(app: Http, { db, caughtUp }: LogRouteDeps): void {
  app.get(
    '/api/v1/analytics/route-shares',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Usage'],
        operationId: 'getRouteShares',
        summary: "Get today's requests by route",
        description:
          'Who answered the requests of today (UTC) that named a route. Of very many, the newest 100,000 count.',
        querystring: z.object({ group_id: z.uuid().optional() }),
        response: { 200: listOf(routeShare) },
      },
    },
    async (request) => {
      const { id } = groupOf(request)
      await caughtUp()
      return { data: await countByRoute(db, id, lowestId(startOfDay(new Date()))) }
    },
  )
}
