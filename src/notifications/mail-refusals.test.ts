import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personWith } from '#test/people'
import { startMailServer } from '#test/mail-server'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import type { Channel, Delivery } from './contract.ts'
import { createChannel, deliveriesOf, makeDue, notification, openSender } from './testing-notifications.ts'

const mail = await startMailServer()
const product = await startProduct({ SMTP_URL: mail.url, SMTP_FROM: 'Signalbox <signalbox@example.com>' })
const groupId = product.first.groupId
const sender = await openSender(product)

const [ada, ben, cem] = ['ada@example.com', 'ben@example.com', 'cem@example.com'] as const

/** A channel of its own: a mail to these addresses, and who got which. */
async function mailChannel(name: string, to: readonly string[], fields: object = {}) {
  for (const address of to) [mail.busy, mail.unknown].forEach((set) => set.delete(address))
  const channel = await createChannel(product, 'email', { to, group_seconds: 0, ...fields }, { name })
  const send = (title: string) => sender.send(notification(groupId, { title, channels: [channel.id] }))
  const got = (title: string): string[] =>
    mail.mails.filter(({ raw }) => raw.includes(`Error: ${title}\r\n`)).flatMap(({ to: reached }) => reached)
  const after = (what: string, condition: (last: Delivery) => boolean): Promise<Delivery> =>
    waitFor(what, async () => {
      const [last] = await deliveriesOf(product, channel)
      return last && condition(last) && last
    })
  return { channel, send, got, after }
}

const tried = ({ tries }: Delivery): boolean => tries.length > 0
const errorsOf = ({ tries }: Delivery) => tries.map(({ ok, error }) => [ok, error])
const shownChannel = async ({ id }: Channel): Promise<Channel> => {
  const { json } = await product.call('/api/v1/channels')
  return (json.data as Channel[]).find((each) => each.id === id) as Channel
}

interface BellItem {
  kind: string
  state: string
  title: string
  text: string
  path: string
  count: number
}
async function bellOf(channel: Channel, call = product.call): Promise<string[]> {
  const { json } = await call('/api/v1/notifications?limit=100')
  return (json.data as BellItem[])
    .filter(({ kind, path }) => kind === 'channel_failing' && path.endsWith(channel.id))
    .map(({ state, title, text, count }) => [state, title, text, count].join('|'))
}

test('an address that refuses a mail for now gets it later, and the others get it once', async () => {
  const { channel, send, got, after } = await mailChannel('greylisted', [ada, ben])
  mail.busy.add(ben)
  await send('search is down')
  const waiting = await after('a try', tried)
  assert.equal(waiting.status, 'pending')
  assert.deepEqual(
    [waiting.tries[0]?.error, waiting.tries[0]?.status_code, waiting.tries[0]?.response],
    [
      'The mail server refused 1 of 2 addresses for now. The others got the message.',
      450,
      `${ben}: 450 4.2.0 greylisted, try later`,
    ],
  )
  mail.busy.delete(ben)
  await makeDue(product, channel)
  await after('the rest', ({ status }) => status === 'delivered')
  assert.deepEqual(got('search is down'), [ada, ben])
  assert.match(mail.mails.at(-1)?.raw ?? '', new RegExp(`^To: ${ada}, ${ben}\r$`, 'm'))
  const { failures, failing_since } = await shownChannel(channel)
  assert.deepEqual([failures, failing_since], [0, null])
  assert.deepEqual(await bellOf(channel), [])
})

test('who refuses a mail for good is not asked again while others are, and the delivery ends as failed', async () => {
  const { channel, send, got, after } = await mailChannel('mixed', [ada, ben, cem])
  mail.busy.add(ben)
  mail.unknown.add(cem)
  await send('mixed is down')
  const waiting = await after('a try', tried)
  assert.equal(waiting.status, 'pending')
  mail.busy.delete(ben)
  // Asked again, it would take the message now.
  mail.unknown.delete(cem)
  await makeDue(product, channel)
  const ended = await after('the end', ({ status }) => status !== 'pending')
  assert.equal(ended.status, 'failed')
  assert.deepEqual(got('mixed is down'), [ada, ben])
  assert.deepEqual(
    [errorsOf(ended)[0], errorsOf(ended).at(-1)],
    [
      [false, 'The mail server refused 2 of 3 addresses, 1 of them for now. The others got the message.'],
      [false, 'The mail server refused 1 of 3 addresses. The others got the message.'],
    ],
  )
})

test('a mail that is refused as a whole for those who are left has still reached the others', async () => {
  const { channel, send, got, after } = await mailChannel('as a whole', [ada, ben])
  mail.busy.add(ben)
  await send('whole is down')
  await after('a try', tried)
  mail.next.push('554 5.7.1 not wanted')
  mail.busy.delete(ben)
  await makeDue(product, channel)
  const ended = await after('the end', ({ status }) => status === 'failed')
  assert.deepEqual(
    [ended.tries.at(-1)?.error, ended.tries.at(-1)?.response],
    ['The mail server refused 1 of 2 addresses. The others got the message.', `${ben}: 554 5.7.1 not wanted`],
  )
  assert.deepEqual(got('whole is down'), [ada])
  await waitFor('the bell', async () => (await bellOf(channel)).length > 0)
  assert.match((await bellOf(channel))[0] ?? '', /reach only some of the addresses/)
})

test('where everybody refuses a mail, those who do so for now are tried again', async () => {
  const { channel, send, got, after } = await mailChannel('all refuse', [ben, cem])
  mail.busy.add(ben)
  mail.unknown.add(cem)
  await send('all is down')
  const waiting = await after('a try', tried)
  assert.deepEqual(
    [waiting.status, waiting.tries[0]?.error],
    ['pending', 'The mail server refused 2 of 2 addresses, 1 of them for now.'],
  )
  assert.ok((await shownChannel(channel)).failures > 0)
  mail.busy.delete(ben)
  await makeDue(product, channel)
  await after('the end', ({ status }) => status === 'failed')
  assert.deepEqual(got('all is down'), [ben])
})

test('what happens while a mail waits for one address goes to all of them', async () => {
  const { channel, send, got, after } = await mailChannel('waiting', [ada, ben], { group_seconds: 3_600 })
  mail.busy.add(ben)
  await send('first is down')
  await after('some tries', ({ tries }) => tries.length >= 2)
  await send('second is down')
  const second = await after('another mail', ({ tries }) => tries.length === 0)
  assert.deepEqual(
    second.notifications.map(({ title }) => title),
    ['second is down'],
  )
  mail.busy.delete(ben)
  await makeDue(product, channel)
  await waitFor('both', async () =>
    (await deliveriesOf(product, channel)).every(({ status }) => status === 'delivered'),
  )
  assert.deepEqual(
    [got('first is down'), got('second is down')],
    [
      [ada, ben],
      [ada, ben],
    ],
  )
})

test('an address that was taken out of the channel is not tried again', async () => {
  const { channel, send, got, after } = await mailChannel('shorter', [ada, ben])
  mail.busy.add(ben)
  await send('shorter is down')
  await after('a try', tried)
  await product.call(`/api/v1/channels/${channel.id}`, { method: 'PATCH', json: { config: { to: [ada] } } })
  mail.busy.delete(ben)
  await makeDue(product, channel)
  await after('the end', ({ status }) => status === 'cancelled')
  assert.deepEqual(got('shorter is down'), [ada])
})

test('a mail that reaches only some is said in the bell without their addresses, which admins read', async () => {
  const { channel, send, after } = await mailChannel('Team', [ada, cem])
  mail.unknown.add(cem)
  await send('team is down')
  const ended = await after('the end', ({ status }) => status === 'failed')
  const viewer = await personWith(product, 'viewer')
  const said = await waitFor('the bell', async () => {
    const items = await bellOf(channel, viewer)
    return items.length > 0 && items
  })
  assert.deepEqual(said, [
    'firing|Notifications reach only some of the addresses of the channel Team|The mail server refused 1 of 2 addresses. The others got the message.|1',
  ])
  const { text } = await viewer('/api/v1/notifications?limit=100')
  assert.doesNotMatch(text, /@example\.com/)
  assert.equal(ended.tries[0]?.response, `${cem}: 550 5.1.1 no such user`)
  const tested = await product.call(`/api/v1/channels/${channel.id}/test`, { method: 'POST' })
  assert.deepEqual([tested.json.ok, tested.json.response], [false, `${cem}: 550 5.1.1 no such user`])
  const { failures, failing_since, last_error } = await shownChannel(channel)
  assert.deepEqual([failures, last_error], [0, ended.tries[0]?.error])
  assert.notEqual(failing_since, null)
  const { json } = await product.call('/api/v1/attention')
  const titles = (json.data as { kind: string; title: string }[]).filter(
    ({ kind }) => kind === 'channel_failing',
  )
  assert.match(JSON.stringify(titles), /reach only some|channels do not deliver/)
})

test('a channel that reached only some and then fails has a message for each, which ends when it is over', async () => {
  const { channel, send } = await mailChannel('On-call', [ada, cem])
  mail.unknown.add(cem)
  await send('partly is down')
  await waitFor('the bell', async () => (await bellOf(channel)).length === 1)
  mail.next.push('554 no')
  await send('fully is down')
  await waitFor('both in the bell', async () => (await bellOf(channel)).length === 2)
  assert.deepEqual(
    (await bellOf(channel)).map((item) => item.split('|').slice(0, 2).join(' ')),
    [
      'firing Notifications do not reach the channel On-call',
      'firing Notifications reach only some of the addresses of the channel On-call',
    ],
  )
  await send('partly again')
  await waitFor('the end of the failure', async () => (await bellOf(channel)).length === 3)
  assert.match((await bellOf(channel))[0] ?? '', /^resolved\|The channel On-call works again/)
  await waitFor('the partial refusal to be counted', async () => (await bellOf(channel))[2]?.endsWith('|2'))
  mail.unknown.delete(cem)
  await send('all get it')
  await waitFor('the other end', async () => (await bellOf(channel)).length === 4)
  assert.match(
    (await bellOf(channel))[0] ?? '',
    /^resolved\|Notifications reach all addresses of the channel On-call again/,
  )
})

test('a test that arrives ends what the bell says of the channel', async () => {
  const { channel, send, after } = await mailChannel('Tested', [ada])
  mail.next.push('554 no')
  await send('tested is down')
  await after('the end', ({ status }) => status === 'failed')
  await waitFor('the bell', async () => (await bellOf(channel)).length === 1)
  const { json } = await product.call(`/api/v1/channels/${channel.id}/test`, { method: 'POST' })
  assert.equal(json.ok, true)
  assert.match((await bellOf(channel))[0] ?? '', /^resolved\|The channel Tested works again/)
})
