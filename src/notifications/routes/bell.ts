import type { Kysely } from 'kysely'
import { z } from 'zod'
import { groupOf, principalOf, type Http } from '#kernel/http'
import { cursor, cutPage, groupId, limit } from '#kernel/paging'
import { countUnread, listBell, markRead } from '../bell-store.ts'
import { bellPage, readBody } from '../contract.ts'
import type { NotificationTables } from '../tables.ts'
import { toBellItem } from '../to-json.ts'

const tags = ['Notifications']

const query = z.object({
  limit: limit(100, 20),
  // Sorted by their IDs, which grow.
  cursor: z
    .uuid('must be the next_cursor of a page')
    .optional()
    .meta(cursor.meta() ?? {}),
  ...groupId,
})

/** What was read is kept per person, so a key reads as the person who made it; one that nobody made sees nothing. */
export function bellRoutes(app: Http, db: Kysely<NotificationTables>): void {
  app.get(
    '/api/v1/notifications',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'listNotifications',
        summary: 'List notifications',
        description:
          'The bell: notifications of the group, newest first, and how many of them the caller has not read. They are kept for 30 days. An API key reads as the person who created it; without such a person the list is empty.',
        querystring: query,
        response: { 200: bellPage },
      },
    },
    async (request) => {
      const { user } = principalOf(request)
      if (user === null) return { data: [], unread: 0, next_cursor: null }
      const of = { groupId: groupOf(request).id, userId: user.id }
      const { limit: size, cursor: before } = request.query
      const [rows, unread] = await Promise.all([
        listBell(db, { ...of, before, limit: size }),
        countUnread(db, of.groupId, of.userId),
      ])
      return { ...cutPage(rows, size, ({ id }) => id, toBellItem), unread }
    },
  )

  app.post(
    '/api/v1/notifications/read',
    {
      config: { needs: 'read', inGroup: true },
      schema: {
        tags,
        operationId: 'readNotifications',
        summary: 'Mark notifications as read',
        description:
          'Those with these IDs, the one in `up_to` and everything older, or all of the group. Other people are not affected.',
        body: readBody,
        response: {
          200: z.object({
            unread: z
              .number()
              .int()
              .meta({ examples: [0] }),
          }),
        },
      },
    },
    async (request) => {
      const { user } = principalOf(request)
      if (user === null) return { unread: 0 }
      const { ids, up_to: upTo } = request.body
      const of = { groupId: groupOf(request).id, userId: user.id }
      await markRead(db, { ...of, ids, upTo })
      return { unread: await countUnread(db, of.groupId, of.userId) }
    },
  )
}
