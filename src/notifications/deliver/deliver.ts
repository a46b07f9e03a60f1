import type { Kysely } from 'kysely'
import { channelById, markDelivered, markFailed, type ChannelRow } from '../channel-store.ts'
import { pathOf } from '../attention.ts'
import { channelFailing } from '../contract.ts'
import { cancelDelivery, releaseLease, saveTry, type DeliveryRow } from '../delivery-store.ts'
import { findNotifications, lastOfKey } from '../notification-store.ts'
import type { Send } from '../send.ts'
import type { NotificationTables } from '../tables.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { nextTryAt } from './backoff.ts'
import { toItem, type Message } from './message.ts'

export interface DeliverDeps extends AttemptDeps {
  db: Kysely<NotificationTables>
  send: Send
  /** The address that people see. */
  base(): string
}

/** A channel that failed so often in a row is shown in the bell. */
const failuresToReport = 5

/** One leased delivery: tries it, and stores what became of it. */
export async function deliver(deps: DeliverDeps, row: DeliveryRow, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const channel = await channelById(db, row.channel_id)
  const [first, ...more] = (await findNotifications(db, row.notification_ids)).map((found) =>
    toItem(found, deps.base()),
  )
  if (!channel?.is_active || !first) return cancelDelivery(db, row.id)
  const message: Message = { deliveryId: row.id, items: [first, ...more] }
  const { made, mayRetry, waitMs } = await attempt(deps, channel, message, signal)
  // A try that the stop cut short says nothing; another process repeats it.
  if (signal.aborted && !made.ok) return releaseLease(db, row.id)
  if (made.ok) {
    await saveTry(db, row.id, made, 'delivered', null)
    return succeeded(deps, channel)
  }
  const firstTry = new Date(row.tries[0]?.at ?? made.at)
  const next = mayRetry ? nextTryAt(row.tries.length + 1, firstTry, new Date(), waitMs) : null
  await saveTry(db, row.id, made, next === null ? 'failed' : 'pending', next)
  const failures = await markFailed(db, channel.id, made.error ?? 'The message was not accepted.')
  if (next === null || failures >= failuresToReport) await reportFailing(deps, channel, made.error ?? '')
}

const keyOfChannel = ({ id }: ChannelRow): string => `channel ${id}`

async function succeeded({ db, send }: DeliverDeps, channel: ChannelRow): Promise<void> {
  await markDelivered(db, channel.id)
  if (channel.failures === 0) return
  const last = await lastOfKey(db, channel.group_id, keyOfChannel(channel))
  if (last?.state !== 'firing') return
  await send(
    {
      ...aboutChannel(channel),
      severity: 'info',
      state: 'resolved',
      title: `The channel ${channel.name} works again`,
      text: '',
    },
    'bell',
  )
}

async function reportFailing({ send }: DeliverDeps, channel: ChannelRow, reason: string): Promise<void> {
  await send(
    {
      ...aboutChannel(channel),
      severity: 'error',
      state: 'firing',
      title: `Notifications do not reach the channel ${channel.name}`,
      text: reason,
    },
    'bell',
  )
}

const aboutChannel = (channel: ChannelRow) => ({
  groupId: channel.group_id,
  alertId: null,
  kind: channelFailing,
  path: pathOf(channel),
  key: keyOfChannel(channel),
  data: { channel_id: channel.id },
  channels: [],
})
