import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { cost, costId, costType } from '../contract.ts'
import type { Costs } from '../cost/costs.ts'

/** A day is the beginning of it, in UTC. */
export const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be a date or a time in ISO 8601')
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() > 0 && at.getTime() < Date.UTC(2100, 0), 'must be a time from 1970 to 2100')
  .optional()

export function costRoute(app: Http, costs: Costs): void {
  app.get(
    '/api/v1/costs',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Links'],
        operationId: 'getCostOfWork',
        summary: 'Get what work cost',
        description:
          'Of a ticket, a pull request, an initiative, a person or a project: in layers, from the usage log. Without `id`: all things of the type in a period (by default the last 30 days, at most 400), and what belongs to none; the four layers are then the total of the usage log.',
        querystring: z.object({
          type: costType,
          id: costId.optional(),
          from: moment.meta({ description: 'Requests from this day or time on.' }),
          to: moment.meta({ description: 'Requests before this day or time.' }),
          ...groupId,
        }),
        response: { 200: cost },
      },
    },
    async (request) => {
      const { type, id, from, to } = request.query
      return costs(groupOf(request).id, { type, id, from, to })
    },
  )
}
