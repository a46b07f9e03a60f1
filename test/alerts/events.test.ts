import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { insertRows, newRow } from '../../src/usage/log/testing-rows.ts'
import { createChannel } from '../../src/notifications/testing-notifications.ts'
import { startSql } from '../../src/sql/testing-sql.ts'
import { startWebhookReceiver } from '#test/receivers'
import { waitFor } from '#test/wait'
import { startAlerts } from './start-alerts.ts'

const sql = await startSql({ UPSTREAM_PRIVATE: '1' })
const it = await startAlerts(sql)
const { call, groupId, world } = it

/** An alert that the product itself evaluates. */
async function made(kind: string, config: object = {}): Promise<string> {
  const { status, json, text } = await call('/api/v1/alerts', { json: { name: kind, kind, config } })
  assert.equal(status, 201, text)
  return json.id as string
}
const titles = (id: string, count: number): Promise<string[]> =>
  waitFor(`${count} events`, async () => {
    const events = await it.events(id)
    return (
      events.length >= count && events.map(({ title, metadata }) => `${String(metadata['state'])}: ${title}`)
    )
  })

const runs = `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, error, waiting_for,
  limits, started_by_name, scopes, depth, finished_at, updated_at)
  values ($1, $2, 'data-engineer', 1, 'Do it', $3, $4, $5, '{}', 'Ada', '{}', 0, $6, now())`

test('a statement that waits for approval fires at once, and is over when somebody decides', async () => {
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: ['SELECT'],
    requires_approval: ['CREATE'],
    environment: 'dev',
  }
  await call('/api/agents', { json: { id: 'careful', name: 'Careful', model: 'm', config: { policy } } })
  const secret = 'whsec_q7uT3pLk9ZxW2vBn'
  const receiver = await startWebhookReceiver(secret)
  await createChannel(sql, 'webhook', { url: receiver.url, secret, allow_private: true })
  const id = await made('approval_waiting')
  const asked = await sql.execute('create table waits (id int)', { agent_id: 'careful' })
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(await titles(id, 1), [
    'firing: Approval needed: CREATE TABLE in application, asked by Careful',
  ])
  assert.equal((await it.events(id))[0]?.metadata['path'], `/sql/approvals/${asked.json.approval_id}`)
  // It reaches a person outside: signed, with the address of the page where it is decided.
  await waitFor('the message', () => receiver.accepted.length === 1)
  const { kind, state, url } = receiver.accepted[0]?.json ?? {}
  assert.deepEqual([kind, state], ['approval_waiting', 'firing'])
  assert.equal(new URL(url).pathname, `/sql/approvals/${asked.json.approval_id}`)
  const decided = await call(`/api/v1/sql/approvals/${asked.json.approval_id}/reject`, { json: {} })
  assert.equal(decided.status, 200, decided.text)
  assert.deepEqual((await titles(id, 2)).slice(1), [
    'resolved: The statement in application no longer waits for approval',
  ])
  await waitFor('the end', () => receiver.accepted.length === 2)
  assert.equal(receiver.accepted[1]?.json.state, 'resolved')
  await call(`/api/v1/alerts/${id}`, { method: 'DELETE' })
})

test('a deployment that failed fires at once and once, those before the alert do not', async () => {
  const deploy = (version: string, status: string, times: object = {}) =>
    call('/api/deployments', {
      json: { service: 'shop', environment: 'production', version, status, ...times },
    })
  const before = new Date(Date.now() - 60_000).toISOString()
  assert.equal((await deploy('1', 'failed', { started_at: before, finished_at: before })).status, 201)
  const id = await made('deployment_failed', { environments: ['production'] })
  await deploy('2', 'succeeded')
  await deploy('3', 'failed')
  assert.deepEqual(await titles(id, 1), ['firing: Deployment of shop 3 to production failed'])
  await deploy('4', 'failed')
  assert.deepEqual((await titles(id, 2)).slice(1), ['firing: Deployment of shop 4 to production failed'])
  assert.equal((await call(`/api/v1/alerts/${id}`)).json.state, 'ok', 'nothing ends, so nothing is firing')
  await call(`/api/v1/alerts/${id}`, { method: 'DELETE' })
})

test('a share of a limit that is used fires, with what the limit says', async () => {
  // It has ended: what is still under way counts later.
  const at = new Date(Date.now() - 10_000)
  await insertRows(it.database.pool, [newRow(groupId, at, { input_cost: '55', output_cost: '0' })])
  const body = { subject: { type: 'group' }, metric: 'cost', amount: '100', window: 'total' }
  const limit = await call('/api/v1/limits', { json: body })
  assert.equal(limit.status, 201, limit.text)
  const id = await made('budget', { limit_id: limit.json.id })
  const [title] = await titles(id, 1)
  assert.match(title ?? '', /^firing: .+: 55 % used, \$55 of \$100$/)
  await call(`/api/v1/alerts/${id}`, { method: 'DELETE' })
})

test('what no event reported is found by the job, and two processes notify once', async () => {
  const alert = await it.insertAlert('run_failed', {})
  const waiting = await it.insertAlert('run_waiting', {})
  world.now = new Date()
  const error = JSON.stringify({ code: 'limit', message: 'The run used too many tokens.' })
  const wait = JSON.stringify({
    kind: 'question',
    wait_id: 'w1',
    tool_call_id: 't',
    question: 'Which table?',
  })
  const [failed, asks] = [randomUUID(), randomUUID()]
  await it.query(runs, [failed, groupId, 'failed', error, null, world.now])
  await it.query(runs, [asks, groupId, 'waiting', null, wait, null])
  world.now = new Date(Date.now() + 1_000)
  const second = it.startProcess()
  await Promise.all([it.other.evaluate(), second.evaluate(), it.other.evaluate()])
  await second.evaluate()
  const sent = [...it.other.sent, ...second.sent]
  const of = (id: string) =>
    sent.filter(({ alertId }) => alertId === id).map(({ state, title }) => `${state}: ${title}`)
  assert.deepEqual(of(alert.id), ['firing: Run of Data engineer failed: The run used too many tokens.'])
  assert.deepEqual(of(waiting.id), ['firing: Data engineer waits for a person: "Which table?"'])
  await it.query(`update agents.runs set status = 'completed', waiting_for = null where id = $1`, [asks])
  assert.deepEqual(await it.evaluated(waiting), ['resolved: Data engineer no longer waits'])
  assert.deepEqual(await it.evaluated(waiting), [])
  await it.end(alert)
  await it.end(waiting)
})

test('a notification that could not be sent is sent by the next evaluation', async () => {
  const alert = await it.insertAlert('disk', { min_free_percent: 60 })
  const { send } = it.other.notifier
  it.other.notifier.send = async () => Promise.reject(new Error('the database is unavailable'))
  assert.deepEqual(await it.evaluated(alert), [])
  it.other.notifier.send = send
  assert.deepEqual(await it.evaluated(alert), ['firing: Disk of one is nearly full: 50 % free, 0.0 GiB'])
  assert.deepEqual(await it.evaluated(alert), [])
  await it.end(alert)
})

test('the job of the product evaluates every minute, and an alert that is turned off ends what fires', async () => {
  const alert = await it.insertAlert('service_down', {})
  await call('/api/services', { json: { name: 'late' } })
  await it.query(`update records.services set state = 'down' where name = 'late'`)
  await it.query(`insert into jobs.job (name, data) values ('alerts.evaluate', '{}')`)
  assert.deepEqual(await titles(alert.id, 1), ['firing: late is down'])
  await call(`/api/v1/alerts/${alert.id}`, { method: 'PATCH', json: { is_active: false } })
  assert.deepEqual((await titles(alert.id, 2)).slice(1), ['resolved: Alert turned off: late is down'])
  const shown = (await call(`/api/v1/alerts/${alert.id}`)).json
  assert.deepEqual([shown.state, shown.is_active], ['ok', false])
})

test('nobody can make up an event of an alert', async () => {
  const { status } = await call('/api/console/events', {
    json: { type: 'system', title: 'Resolved', metadata: { alert_id: randomUUID() } },
  })
  assert.equal(status, 400)
})
