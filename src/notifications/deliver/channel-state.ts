import type { Kysely } from 'kysely'
import { pathOf, titleOf, type Trouble } from '../attention.ts'
import { markDelivered, markFailed, markPartlyDelivered, type ChannelRow } from '../channel-store.ts'
import { channelFailing } from '../contract.ts'
import { lastOfKey } from '../notification-store.ts'
import type { Send } from '../send.ts'
import type { NotificationTables } from '../tables.ts'
import type { AttemptDeps } from './attempt.ts'

export interface DeliverDeps extends AttemptDeps {
  db: Kysely<NotificationTables>
  send: Send
  /** The address that people see. */
  base(): string
}

/** A channel that failed so often in a row, or a mail that some addresses refused so often, is shown in the bell. */
const failuresToReport = 5

/** Something is wrong with a try, in words without an address: every member reads the bell. */
export interface Problem {
  reason: string
  /** How often this message was tried. */
  tries: number
  isGivenUp: boolean
}

export async function reachedAll(deps: DeliverDeps, channel: ChannelRow): Promise<void> {
  await markDelivered(deps.db, channel.id)
  if (channel.failing_since === null) return
  await end(deps, channel, 'failing', `The channel ${channel.name} works again`)
  await end(deps, channel, 'partly', `Notifications reach all addresses of the channel ${channel.name} again`)
}

export async function reachedSome(deps: DeliverDeps, channel: ChannelRow, problem: Problem): Promise<void> {
  await markPartlyDelivered(deps.db, channel.id, problem.reason)
  if (channel.failures > 0) await end(deps, channel, 'failing', `The channel ${channel.name} works again`)
  // Many servers refuse what they do not know for a minute or two, which is nothing to tell.
  if (problem.isGivenUp || problem.tries >= failuresToReport) await fire(deps, channel, 'partly', problem)
}

export async function reachedNobody(deps: DeliverDeps, channel: ChannelRow, problem: Problem): Promise<void> {
  const failures = await markFailed(deps.db, channel.id, problem.reason)
  if (problem.isGivenUp || failures >= failuresToReport) await fire(deps, channel, 'failing', problem)
}

/** A key for each: one that reaches only some may begin to fail, which must be heard. */
const keyOf = ({ id }: ChannelRow, trouble: Trouble): string =>
  trouble === 'failing' ? `channel ${id}` : `channel ${id} partly`

const fire = (
  { send }: DeliverDeps,
  channel: ChannelRow,
  trouble: Trouble,
  { reason }: Problem,
): Promise<void> =>
  send(
    {
      ...about(channel, trouble),
      severity: 'error',
      state: 'firing',
      title: titleOf(channel, trouble),
      text: reason,
    },
    'bell',
  )

async function end(
  { db, send }: DeliverDeps,
  channel: ChannelRow,
  trouble: Trouble,
  title: string,
): Promise<void> {
  const last = await lastOfKey(db, channel.group_id, keyOf(channel, trouble))
  if (last?.state !== 'firing') return
  await send({ ...about(channel, trouble), severity: 'info', state: 'resolved', title, text: '' }, 'bell')
}

const about = (channel: ChannelRow, trouble: Trouble) => ({
  groupId: channel.group_id,
  alertId: null,
  kind: channelFailing,
  path: pathOf(channel),
  key: keyOf(channel, trouble),
  data: { channel_id: channel.id },
  channels: [],
})
