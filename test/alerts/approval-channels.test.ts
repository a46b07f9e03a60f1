import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../src/notifications/testing-notifications.ts'
import { startSql } from '../../src/sql/testing-sql.ts'
import { startMailServer } from '#test/mail-server'
import { startPagerDuty, startSlack, startTeams, startWebhookReceiver } from '#test/receivers'
import { waitFor } from '#test/wait'

const secret = 'whsec_q7uT3pLk9ZxW2vBn'
const [webhook, slack, teams, pagerduty, mail] = await Promise.all([
  startWebhookReceiver(secret),
  startSlack(),
  startTeams(),
  startPagerDuty(),
  startMailServer(),
])
const server = await startSql({
  UPSTREAM_PRIVATE: '1',
  PAGERDUTY_URL: pagerduty.url,
  SMTP_URL: mail.url,
  SMTP_FROM: 'Signalbox <signalbox@example.com>',
})
const { call } = server
const near = { allow_private: true, group_seconds: 0 }
await createChannel(server, 'webhook', { url: webhook.url, secret, allow_private: true })
await createChannel(server, 'slack', { url: `${slack.url}/services/T0/B0/slackq7uT3pLk9ZxW`, ...near })
await createChannel(server, 'teams', { url: `${teams.url}/workflows/q7uT3pLk9ZxW?sig=teamsSig77x`, ...near })
await createChannel(server, 'pagerduty', { routing_key: 'r0utingkeyq7uT3pLk9ZxW2vBn' })
await createChannel(server, 'email', { to: ['team@example.com'], group_seconds: 0 })

test('a statement that waits reaches a person by every channel, and so does its end', async () => {
  const alert = await call('/api/v1/alerts', { json: { name: 'Approvals', kind: 'approval_waiting' } })
  assert.equal(alert.status, 201, alert.text)
  const agent = (await call('/api/agents/data-engineer')).json
  const policy = { ...agent.config.policy, masked_columns: ['waits.email'] }
  await call('/api/agents/data-engineer', { method: 'PATCH', json: { config: { ...agent.config, policy } } })
  await server.execute('create table waits (id int, email text)')
  const config = { ...agent.config, policy: { ...policy, requires_approval: ['INSERT'] } }
  await call('/api/agents/data-engineer', { method: 'PATCH', json: { config } })
  const asked = await server.execute(`insert into waits values (1, 'ann@hidden.example')`)
  assert.equal(asked.status, 202, asked.text)

  const outside = [webhook, slack, teams, pagerduty]
  await waitFor('the messages', () => outside.every(({ accepted }) => accepted.length === 1))
  await waitFor('the mail', () => mail.mails.length === 1)
  const link = `/sql/approvals/${asked.json.approval_id}`
  const messages = [
    ...outside.map(({ accepted }) => accepted[0]?.body ?? ''),
    plain(mail.mails[0]?.raw ?? ''),
  ]
  for (const message of messages) {
    assert.ok(message.includes(link), message)
    assert.match(message, /Approval needed: INSERT in application/)
    assert.ok(!message.includes('ann@hidden'), message)
  }
  const { json: bell } = await call('/api/v1/notifications')
  assert.equal(bell.data[0].kind, 'approval_waiting')
  assert.ok(JSON.stringify(bell.data[0]).includes(link), JSON.stringify(bell.data[0]))
  const { json: attention } = await call('/api/v1/attention')
  assert.ok(attention.data.some(({ kind }: { kind: string }) => kind === 'approval_waiting'))

  assert.equal(
    (await call(`/api/v1/sql/approvals/${asked.json.approval_id}/reject`, { json: {} })).status,
    200,
  )
  await waitFor('the end', () => outside.every(({ accepted }) => accepted.length === 2))
  assert.deepEqual([...pagerduty.incidents.values()], ['resolved'])
})

/** Quoted-printable lines are joined again. */
const plain = (raw: string): string => raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
