import { channelById, type ChannelRow } from '../channel-store.ts'
import { cancelDelivery, releaseLease, saveTry, type DeliveryRow } from '../delivery-store.ts'
import { findNotifications } from '../notification-store.ts'
import { attempt, type Attempted } from './attempt.ts'
import { nextTryAt } from './backoff.ts'
import { reachedAll, reachedNobody, reachedSome, type DeliverDeps } from './channel-state.ts'
import { toItem, type Message } from './message.ts'
import { hasReachedSome, type Unreached } from './outcome.ts'

/** One leased delivery: tries it, and stores what became of it. */
export async function deliver(deps: DeliverDeps, row: DeliveryRow, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const channel = await channelById(db, row.channel_id)
  const [first, ...more] = (await findNotifications(db, row.notification_ids)).map((found) =>
    toItem(found, deps.base()),
  )
  if (!channel?.is_active || !first) return cancelDelivery(db, row.id)
  const unreached = unreachedBefore(row, channel)
  if (unreached?.left.length === 0) return cancelDelivery(db, row.id)
  const message: Message = { deliveryId: row.id, items: [first, ...more], unreached }
  const tried = await attempt(deps, channel, message, signal)
  // A try that the stop cut short says nothing; another process repeats it.
  if (signal.aborted && !tried.made.ok && !tried.unreached) return releaseLease(db, row.id)
  if (!tried.made.ok) return failed(deps, channel, row, tried)
  await saveTry(db, row.id, { made: tried.made, status: 'delivered', dueAt: null })
  await reachedAll(deps, channel)
}

async function failed(
  deps: DeliverDeps,
  channel: ChannelRow,
  row: DeliveryRow,
  { made, mayRetry, waitMs, unreached }: Attempted,
): Promise<void> {
  const firstTry = new Date(row.tries[0]?.at ?? made.at)
  const tries = row.tries.length + 1
  const dueAt = mayRetry ? nextTryAt(tries, firstTry, new Date(), waitMs) : null
  const isGivenUp = dueAt === null
  await saveTry(deps.db, row.id, { made, status: isGivenUp ? 'failed' : 'pending', dueAt, unreached })
  const problem = { reason: made.error ?? 'The message was not accepted.', tries, isGivenUp }
  const reached =
    unreached && hasReachedSome(unreached, channel.config.to ?? []) ? reachedSome : reachedNobody
  await reached(deps, channel, problem)
}

/** Without the addresses that were taken out of the channel since. */
function unreachedBefore(row: DeliveryRow, { config }: ChannelRow): Unreached | undefined {
  if (row.left_to === null) return undefined
  const known = new Set(config.to?.map((address) => address.toLowerCase()))
  const kept = (addresses: readonly string[]): string[] =>
    addresses.filter((address) => known.has(address.toLowerCase()))
  return { left: kept(row.left_to), refused: kept(row.refused_by ?? []) }
}
