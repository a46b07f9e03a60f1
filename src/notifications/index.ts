import type { Kysely } from 'kysely'
import type { Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import type { Events } from '#kernel/events'
import type { Log } from '#kernel/log'
import type { Part } from '#kernel/part'
import type { SecretStore } from '#vault'
import { failingChannelsSource } from './attention.ts'
import { countUnread } from './bell-store.ts'
import { createChannels } from './channels.ts'
import { listChannels } from './channel-store.ts'
import type { Notification } from './contract.ts'
import { createDeliverer } from './deliver/deliverer.ts'
import { testChannel } from './deliver/test-channel.ts'
import { countDue, deleteOldDeliveries } from './delivery-store.ts'
import { deleteOldNotifications } from './notification-store.ts'
import { repeatFiring } from './repeat.ts'
import { bellRoutes } from './routes/bell.ts'
import { channelRoutes } from './routes/channels.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { createSend } from './send.ts'
import type { NotificationTables } from './tables.ts'

export type { Notification } from './contract.ts'

export interface NotificationDeps {
  config: Config
  database: Database
  events: Events
  log: Log
  secrets: SecretStore
  /** The time zone of a group; null where it has none. */
  timeZone(groupId: string): Promise<string | null>
  /** Where this server listens. */
  address(): string
  version: string
}

export interface Notifications {
  /**
   * Stores the notification and its deliveries in one transaction. The same key and state again within a day counts up
   * the one that is there and sends nothing.
   */
  send(notification: Notification): Promise<void>
  /** The channels of a group, for what may name some of them. */
  channelIds(groupId: string): Promise<ReadonlySet<string>>
  /** A person's unread notifications that lead to other paths than these. */
  countUnread(groupId: string, userId: string, otherThan: readonly string[]): Promise<number>
}

/**
 * People are notified: in the bell of the dashboard, and by the channels of their group.
 *
 * @example
 * const notifications = createNotifications({ ...kernel, secrets: vault.secrets, address: () => url, … })
 * await notifications.send({ groupId, kind: 'disk', severity: 'critical', state: 'firing', … })
 */
export function createNotifications(deps: NotificationDeps): Part & Notifications {
  const db: Kysely<NotificationTables> = deps.database.tables()
  const send = createSend({ db, timeZone: deps.timeZone })
  const channels = createChannels({ ...deps, db })
  const base = (): string => deps.config.PUBLIC_URL ?? deps.address()
  const delivering = { ...deps, db, send, base }
  const deliverer = createDeliverer(delivering)
  return {
    name: 'notifications',
    role: 'platform',
    attention: [failingChannelsSource(db)],
    send: (notification) => send(notification),
    channelIds: async (groupId) => new Set((await listChannels(db, groupId)).map(({ id }) => id)),
    countUnread: (groupId, userId, otherThan) => countUnread(db, groupId, userId, otherThan),
    routes(app) {
      channelRoutes(app, { channels, test: (channel) => testChannel(delivering, channel) })
      deliveryRoutes(app, { db, channels })
      bellRoutes(app, db)
    },
    jobs(jobs) {
      jobs.define('notifications.delete-old', () => deleteOld(db), { cron: '17 4 * * *' })
      jobs.define('notifications.repeat', () => repeatFiring({ db, timeZone: deps.timeZone }), {
        cron: '*/10 * * * *',
      })
    },
    async start() {
      await deps.database.listener.on('notifications_due', deliverer.wake, deliverer.wake)
      deliverer.wake()
    },
    queues: { notifications: () => countDue(db) },
    stop: deliverer.stop,
  }
}

const keptMs = 30 * 86_400_000
const portion = 500

async function deleteOld(db: Kysely<NotificationTables>): Promise<void> {
  const before = new Date(Date.now() - keptMs)
  while ((await deleteOldDeliveries(db, before, portion)) === portion);
  while ((await deleteOldNotifications(db, before, portion)) === portion);
}
