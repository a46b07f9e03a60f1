import { z } from 'zod'
import { groupOf, pageOf, principalOf, type Http } from '#kernel/http'
import { delivery, deliveryDetail, deliveryResult, deliveryStatuses, type Delivery } from '../contract.ts'
import type { Deliveries } from '../deliveries.ts'
import type { ListedDelivery } from '../delivery-store.ts'

const tags = ['Webhooks']
const params = z.object({ id: z.uuid().meta({ description: 'The ID of the delivery.' }) })
const admin = { needs: 'admin' } as const

const pageQuery = z.object({
  status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status.' }),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'must be a whole number from 1 to 200')
    .transform(Number)
    .prefault('50')
    .meta({ description: 'How many to return at most, from 1 to 200. Defaults to 50.' }),
  cursor: z.uuid().optional().meta({ description: 'The `next_cursor` of the page before.' }),
})

export interface DeliveryRouteDeps {
  deliveries: Deliveries
}

export function deliveryRoutes(app: Http, { deliveries }: DeliveryRouteDeps): void {
  async function page(groupId: string, hookId: string | undefined, query: z.infer<typeof pageQuery>) {
    const { status, limit, cursor: before } = query
    const rows = await deliveries.list({ groupId, hookId, status, before, limit })
    const shown = rows.slice(0, limit)
    return {
      data: shown.map(toDelivery),
      next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
    }
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

function toDelivery(row: ListedDelivery): Delivery {
  return {
    id: row.id,
    hook_id: row.hook_id,
    kind: row.kind,
    event: row.event,
    external_id: row.external_id,
    status: row.status,
    reason: row.reason,
    attempts: row.attempts,
    size_bytes: row.size_bytes,
    received_at: row.received_at.toISOString(),
    processed_at: row.processed_at?.toISOString() ?? null,
  }
}
