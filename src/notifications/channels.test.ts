import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personWith, keyWith } from '#test/people'
import { startMailServer } from '#test/mail-server'
import { startProduct } from '#test/product'
import { startPagerDuty, startSlack, startTeams, startWebhookReceiver } from '#test/receivers'
import { waitFor } from '#test/wait'
import { createChannel, deliveriesOf, notification, openSender } from './testing-notifications.ts'

const secret = 'whsec_q7uT3pLk9ZxW2vBn'
const [webhook, slack, teams, pagerduty, mail] = await Promise.all([
  startWebhookReceiver(secret),
  startSlack(),
  startTeams(),
  startPagerDuty(),
  startMailServer(),
])
const product = await startProduct({
  UPSTREAM_PRIVATE: '1',
  PAGERDUTY_URL: pagerduty.url,
  SMTP_URL: mail.url,
  SMTP_FROM: 'Signalbox <signalbox@example.com>',
})
const { call } = product
const groupId = product.first.groupId
const sender = await openSender(product)
const slackUrl = `${slack.url}/services/T0/B0/slackq7uT3pLk9ZxW`
const teamsUrl = `${teams.url}/workflows/teamsq7uT3pLk9ZxW?sig=teamsSig77x`
const routingKey = 'r0utingkeyq7uT3pLk9ZxW2vBn'

const channels = {
  webhook: await createChannel(product, 'webhook', {
    url: `${webhook.url}/hook`,
    secret,
    allow_private: true,
  }),
  slack: await createChannel(product, 'slack', { url: slackUrl, allow_private: true, group_seconds: 0 }),
  teams: await createChannel(product, 'teams', { url: teamsUrl, allow_private: true, group_seconds: 0 }),
  pagerduty: await createChannel(product, 'pagerduty', { routing_key: routingKey }),
  email: await createChannel(product, 'email', { to: ['team@example.com'], group_seconds: 0 }),
}
const everyChannel = Object.values(channels)

test('a firing and its end reach every type of channel, signed, with the address of the thing', async () => {
  const fired = notification(groupId, { key: 'checkout', title: 'checkout <!channel> & co is down' })
  await sender.send(fired)
  await waitFor('the firing', () =>
    [webhook, slack, teams, pagerduty].every(({ accepted }) => accepted.length === 1),
  )
  await waitFor('the mail', () => mail.mails.length === 1)
  await sender.send({ ...fired, state: 'resolved', title: 'checkout is up' })
  await waitFor('the end', () =>
    [webhook, slack, teams, pagerduty].every(({ accepted }) => accepted.length === 2),
  )
  await waitFor('the mail of the end', () => mail.mails.length === 2)

  const [firing, resolved] = webhook.accepted
  assert.equal(firing?.path, '/hook')
  const { id, at, ...body } = firing.json
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(at) > Date.now() - 60_000)
  const url = `${product.url}/services?group_id=${groupId}`
  assert.deepEqual(body, {
    alert: null,
    kind: 'service_down',
    severity: 'error',
    state: 'firing',
    title: 'checkout <!channel> & co is down',
    text: '3 health checks in a row failed.',
    url,
    group_id: groupId,
    data: { service: 'checkout' },
  })
  assert.equal(resolved?.json.state, 'resolved')
  const [last, first] = await deliveriesOf(product, channels.webhook)
  assert.equal(firing.headers['x-signalbox-delivery'], first?.id)
  assert.equal(resolved.headers['x-signalbox-delivery'], last?.id)
  assert.deepEqual(
    first?.tries.map(({ ok, status_code }) => [ok, status_code]),
    [[true, 204]],
  )

  const [message] = slack.accepted
  assert.equal(message?.json.text, 'Error: checkout &lt;!channel&gt; &amp; co is down')
  assert.equal(
    message.json.blocks[0].text.text,
    `:large_orange_circle: *checkout &lt;!channel&gt; &amp; co is down*\n3 health checks in a row failed.\nError · service down · <${url}|Open in Signalbox>`,
  )
  assert.equal(slack.accepted[1]?.json.text, 'Resolved: checkout is up')
  assert.equal(message.path, '/services/T0/B0/slackq7uT3pLk9ZxW')

  const { content } = teams.accepted[0]?.json.attachments[0] ?? {}
  assert.deepEqual(
    content.body[0].inlines.map(({ text }: { text: string }) => text),
    ['Error: ', 'checkout <!channel> & co is down'],
  )
  assert.equal(content.actions[0].url, url)
  assert.equal(teams.accepted[0]?.path, '/workflows/teamsq7uT3pLk9ZxW?sig=teamsSig77x')

  const [trigger, resolve] = pagerduty.accepted.map(({ json }) => json)
  assert.equal(trigger.routing_key, routingKey)
  assert.equal(trigger.event_action, 'trigger')
  assert.equal(trigger.payload.severity, 'error')
  assert.deepEqual(trigger.payload.custom_details, {
    text: '3 health checks in a row failed.',
    service: 'checkout',
  })
  assert.equal(resolve.dedup_key, trigger.dedup_key)
  assert.deepEqual([...pagerduty.incidents.values()], ['resolved'])

  const [letter] = mail.mails
  assert.deepEqual(letter?.to, ['team@example.com'])
  assert.match(letter.raw, /^Subject: \[Signalbox\] Error: checkout <!channel> & co is down\r$/m)
  assert.match(letter.raw, /^From: Signalbox <signalbox@example\.com>\r$/m)
  // Long lines are folded.
  assert.match(letter.raw.replaceAll('=\r\n', ''), /checkout &#60;!channel&#62; &#38; co is down/)
})

test('a title cannot add a header or a recipient to a mail', async () => {
  const before = mail.mails.length
  await sender.send(
    notification(groupId, {
      title: 'down\r\nBcc: other@example.com\r\n\r\nbody',
      channels: [channels.email.id],
    }),
  )
  await waitFor('the mail', () => mail.mails.length === before + 1)
  const letter = mail.mails.at(-1)
  assert.deepEqual(letter?.to, ['team@example.com'])
  assert.doesNotMatch(letter.raw, /^Bcc:/im)
  const refused = await call('/api/v1/channels', {
    json: { name: 'm', type: 'email', config: { to: ['a@example.com\r\nBcc: b@example.com'] } },
  })
  assert.equal(refused.status, 400)
  assert.equal(refused.json.error.param, 'config.to.0')
})

test('a mail that reaches only some of its addresses says so, and is not sent to the others again', async () => {
  const both = await createChannel(product, 'email', {
    to: ['team@example.com', 'left@example.com'],
    group_seconds: 0,
  })
  const before = mail.mails.length
  mail.unknown.add('left@example.com')
  await sender.send(notification(groupId, { title: 'search is down', channels: [both.id] }))
  await waitFor('the end of the delivery', async () =>
    (await deliveriesOf(product, both)).every(({ status }) => status === 'failed'),
  )
  const [delivery] = await deliveriesOf(product, both)
  assert.equal(
    delivery?.tries.at(-1)?.error,
    'The mail server refused 1 of 2 addresses. The others got the message.',
  )
  assert.match(delivery?.tries.at(-1)?.response ?? '', /^left@example\.com: 550 /)
  assert.deepEqual(
    mail.mails.slice(before).map(({ to }) => to),
    [['team@example.com']],
  )
  await call(`/api/v1/channels/${both.id}`, { method: 'DELETE' })
})

test('a test is sent at once, and its result is returned and kept', async () => {
  for (const [type, channel] of Object.entries(channels)) {
    const { status, json } = await call(`/api/v1/channels/${channel.id}/test`, { method: 'POST' })
    assert.equal(status, 200)
    assert.equal(json.ok, true, `${type}: ${json.error}`)
    const [last] = await deliveriesOf(product, channel)
    assert.equal(last?.id, json.delivery_id)
    assert.equal(last?.is_test, true)
  }
  // The incident of a test is resolved at once.
  assert.ok([...pagerduty.incidents.values()].every((state) => state === 'resolved'))
  assert.equal(webhook.accepted.at(-1)?.json.kind, 'test')
})

test('secrets are in no response, no event and no line of the log', async () => {
  slack.next.push({ status: 403, body: `no such hook: ${slackUrl}` })
  const { json: failed } = await call(`/api/v1/channels/${channels.slack.id}/test`, { method: 'POST' })
  assert.equal(failed.ok, false)
  assert.match(failed.response, /^no such hook/)
  const shown = [
    ...everyChannel.map((channel) => JSON.stringify(channel)),
    (await call('/api/v1/channels')).text,
    ...(await Promise.all(
      everyChannel.map(async ({ id }) => (await call(`/api/v1/channels/${id}/deliveries`)).text),
    )),
    (await call('/api/console/events?limit=100')).text,
    JSON.stringify(failed),
    product.logged(),
  ].join('\n')
  for (const hidden of [
    secret,
    'slackq7uT3pLk9',
    'teamsq7uT3pLk9',
    'teamsSig77',
    routingKey,
    'mail-password',
  ])
    assert.ok(!shown.includes(hidden), hidden)
  assert.equal(channels.webhook.config.secret_suffix, '2vBn')
  assert.equal(channels.slack.config.url_host, new URL(slack.url).host)
  assert.equal(channels.slack.config.url_suffix, '9ZxW')
  assert.equal(channels.pagerduty.config.routing_key_suffix, '2vBn')
})

test('a changed secret signs the next message, and other settings stay', async () => {
  const receiver = await startWebhookReceiver('another-secret-77')
  const channel = await createChannel(product, 'webhook', { url: receiver.url, secret, allow_private: true })
  const test = async (): Promise<{ ok: boolean; status_code: number }> =>
    (await call(`/api/v1/channels/${channel.id}/test`, { method: 'POST' })).json
  assert.equal((await test()).status_code, 401)
  const changed = await call(`/api/v1/channels/${channel.id}`, {
    method: 'PATCH',
    json: { config: { secret: 'another-secret-77' }, min_severity: 'critical', is_active: false },
  })
  assert.equal(changed.json.config.url, receiver.url)
  assert.equal(changed.json.config.secret_suffix, 't-77')
  assert.equal(changed.json.min_severity, 'critical')
  assert.equal((await test()).ok, true)
  assert.equal((await call(`/api/v1/channels/${channel.id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await call(`/api/v1/channels/${channel.id}/deliveries`)).status, 404)
})

test('channels are for admins of their group: others get 403, and other groups 404', async () => {
  const member = await personWith(product, 'member')
  const { json: group } = await call('/api/v1/groups', { json: { name: 'Other' } })
  const stranger = await personWith(product, 'admin', group.id)
  const admin = await keyWith(product, ['admin'])
  const reader = await keyWith(product, ['read'])
  const path = `/api/v1/channels/${channels.slack.id}`
  const requests: [string, object][] = [
    [path, { method: 'PATCH', json: { name: 'x' } }],
    [path, { method: 'DELETE' }],
    [`${path}/test`, { method: 'POST' }],
    [`${path}/deliveries`, {}],
  ]
  for (const [address, options] of requests) {
    assert.equal((await stranger(address, options)).status, 404, address)
    assert.equal((await member(address, options)).status, 403, address)
    assert.equal((await reader(address, options)).status, 403, address)
  }
  assert.equal((await admin('/api/v1/channels')).json.data.length, everyChannel.length)
  assert.deepEqual((await stranger('/api/v1/channels')).json.data, [])
  // A channel of another group is not used, even when it is named.
  const before = slack.received.length
  await sender.send(notification(group.id, { channels: [channels.slack.id] }))
  await sender.send(notification(groupId, { channels: [channels.slack.id], title: 'after it' }))
  await waitFor('the second', () => slack.received.length > before)
  assert.match(slack.received[before]?.json.text, /after it/)
})

test('settings that do not fit the type, or lead to a private network, are refused by name', async () => {
  const refused = async (type: string, config: object, fields: object = {}): Promise<string> => {
    const { status, json } = await call('/api/v1/channels', { json: { name: 'x', type, config, ...fields } })
    assert.equal(status, 400, JSON.stringify(json))
    return json.error.param as string
  }
  assert.equal(await refused('slack', {}), 'config.url')
  assert.equal(await refused('slack', { url: slackUrl }), 'config.url')
  assert.equal(await refused('slack', { url: 'https://a.example/x', secret }), 'config.secret')
  assert.equal(await refused('webhook', { url: 'https://a.example/x' }), 'config.secret')
  assert.equal(await refused('webhook', { url: 'ftp://a.example/x', secret }), 'config.url')
  assert.equal(await refused('webhook', { url: 'https://u:p@a.example/x', secret }), 'config.url')
  assert.equal(await refused('webhook', { url: 'http://[::1]:80/x', secret }), 'config.url')
  assert.equal(await refused('pager', {}), 'type')
  assert.equal(await refused('email', { to: ['x'] }), 'config.to.0')
  const valid = { to: ['a@example.com'] }
  assert.equal(await refused('email', valid, { kinds: ['nothing'] }), 'kinds.0')
  assert.equal(
    await refused('email', valid, { quiet_hours: { from: '25:00', to: '07:00' } }),
    'quiet_hours.from',
  )
  assert.equal(
    await refused('email', valid, { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/X' } }),
    'quiet_hours.time_zone',
  )
})
