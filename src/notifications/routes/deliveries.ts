import type { Kysely } from 'kysely'
import { z } from 'zod'
import { principalOf, type Http } from '#kernel/http'
import { cursor, cutPage, limit, pageOf } from '#kernel/paging'
import type { Channels } from '../channels.ts'
import { delivery } from '../contract.ts'
import { listDeliveries } from '../delivery-store.ts'
import { findNotifications } from '../notification-store.ts'
import type { NotificationTables } from '../tables.ts'
import { toDelivery } from '../to-json.ts'

export interface DeliveryRouteDeps {
  db: Kysely<NotificationTables>
  channels: Channels
}

export function deliveryRoutes(app: Http, { db, channels }: DeliveryRouteDeps): void {
  app.get(
    '/api/v1/channels/:id/deliveries',
    {
      config: { needs: 'admin' },
      schema: {
        tags: ['Notifications'],
        operationId: 'listChannelDeliveries',
        summary: 'List deliveries of a channel',
        description: 'Every message to the channel, newest first, with every try. They are kept for 30 days.',
        params: z.object({ id: z.uuid().meta({ description: 'The ID of the channel.' }) }),
        querystring: z.object({
          limit: limit(100, 20),
          // Sorted by their IDs, which grow.
          cursor: z
            .uuid('must be the next_cursor of a page')
            .optional()
            .meta(cursor.meta() ?? {}),
        }),
        response: { 200: pageOf(delivery) },
      },
    },
    async (request) => {
      const channel = await channels.find(principalOf(request), request.params.id)
      const { limit: size, cursor: before } = request.query
      const rows = await listDeliveries(db, { channelId: channel.id, before, limit: size })
      const named = await findNotifications(db, [...new Set(rows.flatMap((row) => row.notification_ids))])
      const notifications = new Map(named.map((row) => [row.id, row]))
      return cutPage(
        rows,
        size,
        ({ id }) => id,
        (row) => toDelivery(row, notifications),
      )
    },
  )
}
