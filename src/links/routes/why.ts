import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { chain, thingId, thingType } from '../contract.ts'
import type { Why } from '../why.ts'
import { sightOf } from './sight-of.ts'

const direction = z
  .enum(['up', 'down'])
  .default('up')
  .meta({ description: '`up`: why it happened. `down`: what it caused.' })

export function whyRoute(app: Http, why: Why): void {
  app.get(
    '/api/v1/why',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Links'],
        operationId: 'getWhy',
        summary: 'Walk from a thing to why it happened, or to what it caused',
        description:
          'Up: one chain, of those that reach highest the one over the most kinds of things, then the surest. Down: everything that followed, as a tree that is read from the top, at most 200 things. Each step has the link that led to it.',
        querystring: z.object({ type: thingType, id: thingId, direction, ...groupId }),
        response: { 200: chain },
      },
    },
    async (request) => {
      const { type, id, direction: way } = request.query
      return { chain: await why(groupOf(request).id, { type, id }, way, sightOf(request)) }
    },
  )
}
