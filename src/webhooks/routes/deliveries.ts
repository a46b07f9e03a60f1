import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { cursor, cutPage, limit, pageOf } from '#kernel/paging'
import { rowJson } from '#kernel/rows'
import { delivery, deliveryDetail, deliveryResult, deliveryStatuses, type Delivery } from '../contract.ts'
import type { Deliveries } from '../deliveries.ts'
import type { ListedDelivery } from '../delivery-store.ts'

const tags = ['Webhooks']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the delivery.' }) })
const admin = { needs: 'admin' } as const

const pageQuery = z.object({
  status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status.' }),
  limit: limit(200),
  // Deliveries are sorted by their IDs, which grow.
  cursor: z
    .uuid('must be the next_cursor of a page')
    .optional()
    .meta(cursor.meta() ?? {}),
})

export interface DeliveryRouteDeps {
  deliveries: Deliveries
}

export function deliveryRoutes(app: Http, { deliveries }: DeliveryRouteDeps): void {
  async function page(groupId: string, hookId: string | undefined, query: z.infer<typeof pageQuery>) {
    const { status, limit: size, cursor: before } = query
    const rows = await deliveries.list({ groupId, hookId, status, before, limit: size })
    return cutPage(rows, size, ({ id }) => id, toDelivery)
  }

  app.get(
    '/api/webhooks/deliveries',
    {
      config: { ...admin, inGroup: true },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List deliveries',
        description: 'What senders sent, newest first, and what became of it.',
        querystring: pageQuery.extend({
          hook_id: z.uuid().optional().meta({ description: 'Only deliveries to this webhook.' }),
          group_id: z.uuid().optional(),
        }),
        response: { 200: pageOf(delivery) },
      },
    },
    (request) => page(groupOf(request).id, request.query.hook_id, request.query),
  )

  app.get(
    '/api/webhooks/deliveries/:id',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery',
        description: 'With the body as it was received.',
        params,
        response: { 200: deliveryDetail },
      },
    },
    async (request) => {
      const row = await deliveries.find(principalOf(request), request.params.id)
      return { ...toDelivery(row), content_type: row.content_type, body: row.body.toString('utf8') }
    },
  )

  app.post(
    '/api/webhooks/deliveries/:id/replay',
    {
      config: { ...admin, docs: { noBody: true, errors: ['conflict'] } },
      schema: {
        tags,
        operationId: 'replayWebhookDelivery',
        summary: 'Replay a delivery',
        description:
          'Processes the stored body again, with the current settings of the webhook. Records that are newer stay as they are.',
        params,
        response: { 200: deliveryResult },
      },
    },
    (request) => deliveries.replay(principalOf(request), request.params.id),
  )
}

const columns = [
  ...(['id', 'hook_id', 'kind', 'event', 'external_id', 'status', 'reason'] as const),
  ...(['attempts', 'size_bytes', 'received_at', 'processed_at'] as const),
]

const toDelivery = (row: ListedDelivery): Delivery => rowJson(row, columns)
