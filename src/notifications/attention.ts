import type { Kysely } from 'kysely'
import type { AttentionSource } from '#kernel/attention'
import { failingChannels, type ChannelRow } from './channel-store.ts'
import type { NotificationTables } from './tables.ts'

/** Its deliveries. */
export const pathOf = ({ id }: { id: string }): string => `/notifications?channel=${id}`

/** `partly`: some addresses of a mail refuse it, and the others get it. */
export type Trouble = 'failing' | 'partly'

export const titleOf = ({ name }: Pick<ChannelRow, 'name'>, trouble: Trouble): string =>
  trouble === 'failing'
    ? `Notifications do not reach the channel ${name}`
    : `Notifications reach only some of the addresses of the channel ${name}`

/** Channels that do not deliver, or not to everybody. */
export const failingChannelsSource = (db: Kysely<NotificationTables>): AttentionSource => ({
  kind: 'channel_failing',
  severity: 'error',
  needs: 'admin',
  several: ({ length }) => ({ title: `${length} channels do not deliver`, path: '/notifications' }),
  async find(groupId) {
    const rows = await failingChannels(db, groupId)
    return rows.map((row) => ({
      name: row.name,
      title: titleOf(row, row.failures === 0 ? 'partly' : 'failing'),
      detail: (row.last_error ?? '').slice(0, 200),
      path: pathOf(row),
      since: row.failing_since,
    }))
  },
})
