import { z } from 'zod'
import { groupOf, type Http } from '#kernel/http'
import { groupId } from '#kernel/paging'
import { statement } from '../contract.ts'
import type { ShowStatement } from '../statement/statement.ts'

const day = z.iso
  .date('must be a date such as 2026-03-01')
  .refine((text) => text >= '1971-01-01' && text < '2100-01-01', 'must be between 1971 and 2100')
  .optional()

export function statementRoute(app: Http, show: ShowStatement): void {
  app.get(
    '/api/v1/statement',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags: ['Links'],
        operationId: 'getStatement',
        summary: 'Compare the usage log with the transcripts',
        description:
          'By day and person: what both have, what only the gateway has and why, and what only transcripts have, which is estimated by list prices. `in_both` and `gateway_only` add up to the usage log exactly. At most 366 days.',
        querystring: z.object({
          from: day.meta({
            description: "The first day in the group's time zone. Defaults to 29 days before the last.",
          }),
          to: day.meta({ description: 'The last day, included. Defaults to today.' }),
          ...groupId,
        }),
        response: { 200: statement },
      },
    },
    async (request) => show(groupOf(request).id, request.query),
  )
}
