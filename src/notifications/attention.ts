import type { Kysely } from 'kysely'
import type { AttentionSource } from '#kernel/attention'
import { failingChannels } from './channel-store.ts'
import type { NotificationTables } from './tables.ts'

/** Its deliveries. */
export const pathOf = ({ id }: { id: string }): string => `/notifications?channel=${id}`

/** Channels that do not deliver. */
export const failingChannelsSource = (db: Kysely<NotificationTables>): AttentionSource => ({
  kind: 'channel_failing',
  severity: 'error',
  needs: 'admin',
  several: ({ length }) => ({ title: `${length} channels do not deliver`, path: '/notifications' }),
  async find(groupId) {
    const rows = await failingChannels(db, groupId)
    return rows.map((row) => ({
      name: row.name,
      title: `Notifications do not reach the channel ${row.name}`,
      detail: (row.last_error ?? '').slice(0, 200),
      path: pathOf(row),
      since: row.failing_since,
    }))
  },
})
