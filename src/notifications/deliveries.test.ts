import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administer, databaseOf } from '#test/database'
import { startProduct } from '#test/product'
import { startSlack, startWebhookReceiver, type Receiver } from '#test/receivers'
import { waitFor } from '#test/wait'
import type { Channel, Delivery } from './contract.ts'
import { createChannel, deliveriesOf, makeDue, notification, openSender } from './testing-notifications.ts'

const secret = 'whsec_q7uT3pLk9ZxW2vBn'
const product = await startProduct({ UPSTREAM_PRIVATE: '1' })
const groupId = product.first.groupId
const sender = await openSender(product)

/** A channel that only gets what names it, and its receiver. */
async function webhookChannel(fields: object = {}): Promise<{ receiver: Receiver; channel: Channel }> {
  const receiver = await startWebhookReceiver(secret)
  const config = { url: receiver.url, secret, allow_private: true, ...fields }
  return { receiver, channel: await createChannel(product, 'webhook', config, { kinds: ['disk'] }) }
}

async function slackChannel(config: object, fields: object = {}) {
  const receiver = await startSlack()
  const all = { url: `${receiver.url}/services/x`, allow_private: true, ...config }
  return { receiver, channel: await createChannel(product, 'slack', all, { kinds: ['disk'], ...fields }) }
}

const lastOf = async (channel: Channel): Promise<Delivery | undefined> =>
  (await deliveriesOf(product, channel))[0]

const shownChannel = async ({ id }: Channel): Promise<Channel> => {
  const { json } = await product.call('/api/v1/channels')
  return (json.data as Channel[]).find((each) => each.id === id) as Channel
}

test('a message that is refused for now is tried again, with the same ID, and every try is shown', async () => {
  const { receiver, channel } = await webhookChannel()
  receiver.next.push({ status: 503, body: 'busy' }, { status: 429, headers: { 'retry-after': '1' } })
  await sender.send(notification(groupId, { channels: [channel.id] }))
  await waitFor('two tries', () => receiver.received.length >= 2)
  await waitFor('the failures', async () => (await shownChannel(channel)).failures === 2)
  assert.equal((await shownChannel(channel)).last_error, 'Received status 429.')
  const waiting = await lastOf(channel)
  assert.equal(waiting?.status, 'pending')
  // The second delay is five seconds, of which the receiver asked for one.
  assert.ok(Date.parse(waiting.due_at ?? '') - Date.parse(waiting.tries[1]?.at ?? '') >= 5_000)
  await makeDue(product, channel)
  await waitFor('the delivery', async () => (await lastOf(channel))?.status === 'delivered')
  const done = await lastOf(channel)
  assert.deepEqual(
    done?.tries.map(({ ok, status_code, error, response }) => ({ ok, status_code, error, response })),
    [
      { ok: false, status_code: 503, error: 'Received status 503.', response: 'busy' },
      { ok: false, status_code: 429, error: 'Received status 429.', response: '' },
      { ok: true, status_code: 204, error: null, response: '' },
    ],
  )
  assert.deepEqual(
    new Set(receiver.received.map(({ headers }) => headers['x-signalbox-delivery'])),
    new Set([done.id]),
  )
  assert.equal((await shownChannel(channel)).failures, 0)
})

test('a message that the receiver does not want is not tried again, and the bell says so until one arrives', async () => {
  const { receiver, channel } = await webhookChannel()
  receiver.next.push(
    { status: 410, body: 'gone' },
    { status: 302, headers: { location: `${receiver.url}/x` } },
  )
  const bell = async (): Promise<string[]> => {
    const { json } = await product.call('/api/v1/notifications')
    return (json.data as { kind: string; state: string; title: string }[])
      .filter(({ kind }) => kind === 'channel_failing')
      .map(({ state, title }) => `${state} ${title}`)
  }
  for (const status of [410, 302]) {
    await sender.send(notification(groupId, { channels: [channel.id] }))
    const failed = await waitFor('the failure', async () => {
      const last = await lastOf(channel)
      return last?.status === 'failed' && last.tries[0]?.status_code === status && last
    })
    assert.equal(failed.tries.length, 1)
    assert.equal(failed.due_at, null)
  }
  await waitFor('the bell', async () => (await bell()).length > 0)
  assert.deepEqual(await bell(), ['firing Notifications do not reach the channel webhook'])
  assert.equal(receiver.received.length, 2)
  await sender.send(notification(groupId, { channels: [channel.id] }))
  await waitFor('the end', async () => (await bell()).length === 2)
  assert.deepEqual((await bell())[0], 'resolved The channel webhook works again')
})

test('a response whose first 500 characters end within an emoji is stored like any other', async () => {
  const { receiver, channel } = await webhookChannel()
  receiver.next.push({ status: 400, body: `${'x'.repeat(499)}\u{1F600} no` })
  await sender.send(notification(groupId, { channels: [channel.id] }))
  const failed = await waitFor('the failure', async () => {
    const last = await lastOf(channel)
    return last?.status === 'failed' && last
  })
  assert.match(failed.tries[0]?.response ?? '', /^x{499}/)
  receiver.next.push({ status: 400, body: `${'x'.repeat(499)}\u{1F600} no` })
  const tested = await product.call(`/api/v1/channels/${channel.id}/test`, { method: 'POST' })
  assert.deepEqual([tested.status, tested.json.status_code], [200, 400])
})

test('the end of a thing is not delivered before its firing', async () => {
  const { receiver, channel } = await webhookChannel()
  receiver.next.push({ status: 500 })
  const fired = notification(groupId, { channels: [channel.id] })
  await sender.send(fired)
  await waitFor('the failed try', async () => (await lastOf(channel))?.tries.length === 1)
  await sender.send({ ...fired, state: 'resolved' })
  await waitFor('both', () => receiver.accepted.length === 2)
  assert.deepEqual(
    receiver.accepted.map(({ json }) => json.state),
    ['firing', 'resolved'],
  )
})

test('the same thing in the same state is counted, not sent again', async () => {
  const { receiver, channel } = await webhookChannel()
  const fired = notification(groupId, { channels: [channel.id], key: 'counted', title: 'counted' })
  await Promise.all(Array.from({ length: 5 }, () => sender.send(fired)))
  await sender.send({ ...fired, state: 'resolved' })
  await sender.send(fired)
  await waitFor('the last', () => receiver.accepted.length === 3)
  const { json } = await product.call('/api/v1/notifications')
  const shown = (json.data as { title: string; state: string; count: number }[])
    .filter(({ title }) => title === 'counted')
    .map(({ state, count }) => [state, count])
  assert.deepEqual(shown, [
    ['firing', 1],
    ['resolved', 1],
    ['firing', 5],
  ])
})

test('channels get the kinds and severities that they ask for, and the end of what they got', async () => {
  const receiver = await startWebhookReceiver(secret)
  const config = { url: receiver.url, secret, allow_private: true }
  await createChannel(product, 'webhook', config, { kinds: ['disk'], min_severity: 'error' })
  const disk = notification(groupId, { kind: 'disk', title: 'disk' })
  await sender.send(notification(groupId, { kind: 'spend' }))
  await sender.send({ ...disk, key: 'small', severity: 'warning' })
  await sender.send(disk)
  await waitFor('the firing', () => receiver.accepted.length === 1)
  await sender.send({ ...disk, state: 'resolved', severity: 'info' })
  await waitFor('the end', () => receiver.accepted.length === 2)
  assert.deepEqual(
    receiver.accepted.map(({ json }) => [json.kind, json.state]),
    [
      ['disk', 'firing'],
      ['disk', 'resolved'],
    ],
  )
})

test('in quiet hours everything but what is critical waits, and comes as one message', async () => {
  const clock = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(11, 16)
  const quiet = { from: clock(-3_600_000), to: clock(3_600_000), time_zone: 'UTC' }
  const { receiver, channel } = await slackChannel({}, { quiet_hours: quiet })
  const send = (title: string, severity: 'error' | 'critical' = 'error') =>
    sender.send(notification(groupId, { channels: [channel.id], title, severity }))
  await send('first')
  await send('second')
  await send('urgent', 'critical')
  await waitFor('the urgent one', () => receiver.accepted.length === 1)
  assert.equal(receiver.accepted[0]?.json.text, 'Critical: urgent')
  // That the urgent one has arrived is written a moment later.
  const waiting = await waitFor('only what may wait to be left', async () => {
    const pending = (await deliveriesOf(product, channel)).filter(({ status }) => status === 'pending')
    return pending.length === 1 && pending
  })
  assert.deepEqual(
    waiting.map(({ notifications }) => notifications.map(({ title }) => title)),
    [['first', 'second']],
  )
  assert.equal(new Date(waiting[0]?.due_at ?? '').toISOString().slice(11, 16), quiet.to)
  await makeDue(product, channel)
  await waitFor('the rest', () => receiver.accepted.length === 2)
  assert.equal(receiver.accepted[1]?.json.text, '2 notifications: first and 1 more')
  assert.equal(receiver.accepted[1]?.json.blocks.length, 2)
})

test('what follows a message soon is collected into one', async () => {
  const { receiver, channel } = await slackChannel({ group_seconds: 3_600 })
  for (const title of ['first', 'second', 'third'])
    await sender.send(notification(groupId, { channels: [channel.id], title }))
  await waitFor('the first', () => receiver.accepted.length === 1)
  await makeDue(product, channel)
  await waitFor('the others', () => receiver.accepted.length === 2)
  assert.deepEqual(
    receiver.accepted.map(({ json }) => json.text),
    ['Error: first', '2 notifications: second and 1 more'],
  )
})

test('what still fires is sent again after the hours that the channel asks for, until it ends', async () => {
  const { receiver, channel } = await webhookChannel({ repeat_hours: 2 })
  const fired = notification(groupId, { channels: [channel.id] })
  const once = notification(groupId, { channels: [channel.id], kind: 'run_failed' })
  await sender.send(fired)
  await sender.send(once)
  await waitFor('both', () => receiver.accepted.length === 2)
  await waitFor('the history', async () =>
    (await deliveriesOf(product, channel)).every(({ status }) => status === 'delivered'),
  )
  const later = (minutes: number) =>
    administer(
      `update notifications.deliveries set created_at = created_at - interval '${minutes} min' where channel_id = '${channel.id}'`,
      databaseOf(product),
    )
  await later(119)
  await sender.repeat()
  assert.equal((await deliveriesOf(product, channel)).length, 2)
  await later(2)
  await sender.repeat()
  await waitFor('the repetition', () => receiver.accepted.length === 3)
  assert.equal(
    receiver.accepted[2]?.json.id,
    receiver.accepted.find(({ json }) => json.kind === 'service_down')?.json.id,
  )
  await sender.send({ ...fired, state: 'resolved' })
  await waitFor('the end', () => receiver.accepted.length === 4)
  await later(121)
  await sender.repeat()
  assert.equal((await deliveriesOf(product, channel)).length, 4)
})

test('a title is on one line, and its link stays within the dashboard', async () => {
  const { receiver, channel } = await webhookChannel()
  await sender.send(
    notification(groupId, { channels: [channel.id], title: ' down\r\nBcc: x ', path: '//evil.example/x' }),
  )
  await waitFor('it', () => receiver.accepted.length === 1)
  assert.equal(receiver.accepted[0]?.json.title, 'down Bcc: x')
  assert.equal(receiver.accepted[0]?.json.url, `${product.url}/?group_id=${groupId}`)
})

test('a private network is never reached: not by its address, not by a name, not after the operator closed it', async () => {
  const { receiver, channel } = await webhookChannel()
  const port = new URL(receiver.url).port
  const closed = await startProduct({}, product.target)
  const ofName = await createChannel(closed, 'webhook', { url: `http://localhost:${port}/`, secret })
  for (const id of [channel.id, ofName.id]) {
    const { json } = await closed.call(`/api/v1/channels/${id}/test`, { method: 'POST' })
    assert.equal(json.ok, false)
    assert.match(json.error, /^The address is in a private network\./)
  }
  assert.equal(receiver.received.length, 0)
  const refused = await closed.call('/api/v1/channels', {
    json: { name: 'x', type: 'webhook', config: { url: receiver.url, secret, allow_private: true } },
  })
  assert.equal(refused.json.error.param, 'config.allow_private')
  await closed.stop()
})

// The last one, because it stops the server of the others.
test('what was stored before a crash is delivered by the next start, also what a killed process had leased', async () => {
  const { receiver, channel } = await webhookChannel()
  await product.stop()
  await sender.send(notification(groupId, { channels: [channel.id], title: 'first' }))
  await sender.send(notification(groupId, { channels: [channel.id], title: 'second' }))
  await administer(
    `update notifications.deliveries set leased_until = now() + interval '1 s' where channel_id = '${channel.id}'`,
    databaseOf(product),
  )
  await startProduct({ UPSTREAM_PRIVATE: '1' }, product.target)
  await waitFor('both', () => receiver.accepted.length === 2)
  assert.deepEqual(new Set(receiver.accepted.map(({ json }) => json.title)), new Set(['first', 'second']))
})
