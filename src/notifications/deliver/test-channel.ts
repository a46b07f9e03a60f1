import { newId } from '#kernel/uuid'
import type { ChannelRow } from '../channel-store.ts'
import type { TestResult, Try } from '../contract.ts'
import { insertDelivery } from '../delivery-store.ts'
import { attempt } from './attempt.ts'
import { reachedAll, type DeliverDeps } from './channel-state.ts'
import { testItem } from './message.ts'

/** Sends a test at once and stores it in the history. It is not tried again: the caller sees the result. */
export async function testChannel(deps: DeliverDeps, channel: ChannelRow): Promise<TestResult> {
  const id = newId()
  const item = testItem(id, channel.group_id, deps.base(), new Date())
  const send = async (state: 'firing' | 'resolved'): Promise<Try> => {
    const message = { deliveryId: id, items: [{ ...item, state }] as const }
    return (await attempt(deps, channel, message, AbortSignal.timeout(testMs))).made
  }
  let made = await send('firing')
  // Nobody should be called because of a test, so the incident is resolved at once.
  if (made.ok && channel.type === 'pagerduty') made = await send('resolved')
  const now = new Date()
  await insertDelivery(deps.db, {
    id,
    channel_id: channel.id,
    group_id: channel.group_id,
    notification_ids: [],
    key: null,
    status: made.ok ? 'delivered' : 'failed',
    due_at: now,
    tries: JSON.stringify([made]),
    finished_at: now,
  })
  if (made.ok) await reachedAll(deps, channel)
  return { delivery_id: id, ...made }
}

const testMs = 15_000
