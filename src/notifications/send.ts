import type { Kysely, Transaction } from 'kysely'
import { lockUntilCommit } from '#kernel/db'
import { newId } from '#kernel/uuid'
import { isAtLeast, type Notification, type NotificationSeverity } from './contract.ts'
import { listChannels, type ChannelRow } from './channel-store.ts'
import { enqueue } from './enqueue.ts'
import {
  closeKey,
  countAgain,
  insertNotification,
  keyOf,
  lastOfKey,
  type LastOfKey,
} from './notification-store.ts'
import type { NotificationTables } from './tables.ts'

/** The same key and state within this time is the same notification. */
const repeatMs = 24 * 3_600_000

export interface SendDeps {
  db: Kysely<NotificationTables>
  /** Null: none is set. */
  timeZone(groupId: string): Promise<string | null>
}

/** Where it goes besides the bell. */
type Audience = 'channels' | 'bell'

/** Stores a notification and its deliveries in one transaction, so that a crash loses neither. */
export function createSend({ db, timeZone }: SendDeps) {
  return async function send(notification: Notification, audience: Audience = 'channels'): Promise<void> {
    const { groupId, state } = notification
    const key = keyOf(notification)
    const zone = (await timeZone(groupId)) ?? 'UTC'
    await db.transaction().execute(async (transaction) => {
      await lockUntilCommit(transaction, `notification ${groupId} ${key}`)
      const last = await lastOfKey(transaction, groupId, key)
      if (last?.state === state && Date.now() - last.created_at.getTime() < repeatMs)
        return countAgain(transaction, last.id)
      await closeKey(transaction, groupId, key)
      const row = await insertNotification(transaction, newId(), notification)
      if (audience === 'bell') return
      for (const channel of await channelsFor(transaction, notification, last))
        await enqueue(transaction, channel, row, zone)
    })
  }
}

async function channelsFor(
  transaction: Transaction<NotificationTables>,
  { groupId, kind, severity, channels }: Notification,
  last: LastOfKey | undefined,
): Promise<ChannelRow[]> {
  const active = (await listChannels(transaction, groupId)).filter((channel) => channel.is_active)
  if (channels.length > 0) return active.filter(({ id }) => channels.includes(id))
  const counted = higher(severity, last?.state === 'firing' ? last.severity : severity)
  return active.filter(
    ({ kinds, min_severity }) =>
      (kinds.length === 0 || kinds.includes(kind)) && isAtLeast(counted, min_severity),
  )
}

/** What was worth a message when it fired is worth one when it is resolved. */
const higher = (a: NotificationSeverity, b: NotificationSeverity): NotificationSeverity =>
  isAtLeast(a, b) ? a : b

export type Send = ReturnType<typeof createSend>
