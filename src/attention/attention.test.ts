import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { keyWith, personWith, type Ask } from '#test/people'
import { startProduct } from '#test/product'
import type { AttentionItem } from './contract.ts'

const product = await startProduct()
const { call, first } = product
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())
const owner: Ask = call
const admin = await personWith(product, 'admin')
const member = await personWith(product, 'member')
const viewer = await personWith(product, 'viewer')
const { json: other } = await call('/api/v1/groups', { json: { name: 'Others' } })
const outsider = await personWith(product, 'owner', other.id as string)

const path = '/api/v1/attention'

/** Changes the state as other processes do, then lets this one hear of something. */
async function change(text: string, values: unknown[] = []): Promise<void> {
  await database.pool.query(text, values)
  await keyWith(product, ['read'])
}

const listOf = async (ask: Ask): Promise<AttentionItem[]> => (await ask(path)).json.data
const found = async (ask: Ask, kind: string): Promise<AttentionItem | undefined> =>
  (await listOf(ask)).find((item) => item.kind === kind)
const people = { owner, admin, member, viewer, outsider }
/** Who sees an item of the kind. */
async function whoSees(kind: string): Promise<string[]> {
  const seen = await Promise.all(
    Object.entries(people).map(async ([name, ask]) => ((await found(ask, kind)) ? [name] : [])),
  )
  return seen.flat()
}

test('where nothing is wrong, nothing needs attention', async () => {
  assert.deepEqual((await call(path)).json, { data: [], total: 0 })
})

test('a service that is down needs everybody of the group, until it is up; several are one line', async () => {
  for (const name of ['checkout', 'search'])
    await call('/api/services', { json: { name, url: `https://${name}.example.com/`, is_paused: true } })
  const down = `update records.services set state = 'down', state_since = '2026-11-18T09:30:00Z'`
  await change(`${down} where name = 'checkout'`)
  assert.deepEqual(await whoSees('service_down'), ['owner', 'admin', 'member', 'viewer'])
  assert.deepEqual(await found(viewer, 'service_down'), {
    ...{ kind: 'service_down', severity: 'critical', title: 'checkout is down', detail: '' },
    ...{ url: '/services/checkout', count: 1, since: '2026-11-18T09:30:00.000Z' },
    paths: ['/services/checkout'],
  })
  await change(`${down} where name = 'search'`)
  const both = await found(member, 'service_down')
  assert.deepEqual(
    [both?.title, both?.detail, both?.url, both?.count],
    ['2 services are down', 'checkout, search', '/services?state=down', 2],
  )
  await change(`update records.services set state = 'maintenance'`)
  assert.deepEqual(await whoSees('service_down'), [])
  await change(`update records.services set state = 'up'`)
})

test('a statement that waits needs those who decide, and a run that waits those who answer', async () => {
  const approval = randomUUID()
  await change(
    `insert into sql.approvals (id, group_id, kind, database, sql, is_complete, bound_hash, agent_id, policy_version,
       operations, rule, reason, preview, status, requester, expires_at)
     values ($1, $2, 'execute', 'application', 'drop table a', true, '\\x00', 'data-engineer', 1, '{DROP TABLE}', 'r',
       'it is old', '{}', 'pending', 'Ada', now() + interval '1 hour')`,
    [approval, first.groupId],
  )
  assert.deepEqual(await whoSees('approval_waiting'), ['owner', 'admin'])
  const waiting = await found(admin, 'approval_waiting')
  assert.deepEqual(
    [waiting?.title, waiting?.detail, waiting?.url],
    [
      'DROP TABLE in application waits for approval',
      'Asked by data-engineer: it is old',
      `/sql/approvals/${approval}`,
    ],
  )
  const run = (wait: object) => [randomUUID(), first.groupId, JSON.stringify(wait)]
  const insert = `insert into agents.runs (id, group_id, agent_id, agent_version, request, status, waiting_for, limits,
      started_by_name, scopes) values ($1, $2, 'tester', 1, 'Do it.', 'waiting', $3, '{}', 'Ada', '{}')`
  await change(insert, run({ kind: 'approval', wait_id: 'a', approval_id: approval }))
  assert.deepEqual(await whoSees('run_waiting'), [], 'it is there as the approval')
  await change(insert, run({ kind: 'question', wait_id: 'b', question: 'Which table?' }))
  assert.deepEqual(await whoSees('run_waiting'), ['owner', 'admin', 'member'])
  assert.equal((await found(member, 'run_waiting'))?.detail, '"Which table?"')
  await change(`update sql.approvals set expires_at = now() - interval '1 second'`)
  assert.deepEqual(await whoSees('approval_waiting'), [])
  await change(`update agents.runs set status = 'cancelled', waiting_for = null`)
  assert.deepEqual(await whoSees('run_waiting'), [])
})

test('a budget is near its end from 80 % of a day and longer on, and worse when it is used up', async () => {
  const limit = async (window: string) =>
    (
      await call('/api/v1/limits', {
        json: { subject: { type: 'group' }, metric: 'cost', amount: '10', window },
      })
    ).json
  const day = await limit('day')
  await limit('hour')
  const use = (dollars: string) => change(`update limits.windows set used = $1::numeric * 10 ^ 12`, [dollars])
  await use('7.99')
  assert.deepEqual(await whoSees('budget'), [])
  await use('8')
  assert.deepEqual(await whoSees('budget'), ['owner', 'admin', 'member', 'viewer'])
  const near = await found(viewer, 'budget')
  assert.deepEqual(
    [near?.title, near?.severity, near?.url],
    ['The group has used 80 % of today’s budget', 'warning', `/limits?limit=${day.id}`],
  )
  assert.match(near?.detail ?? '', /^\$8 of \$10, until \d{4}-\d\d-\d\d 00:00 UTC$/)
  await use('10')
  assert.equal((await found(viewer, 'budget'))?.severity, 'error')
  await change('delete from limits.limits')
  assert.deepEqual(await whoSees('budget'), [])
})

test('a provider key that is refused needs an admin, until a call succeeds; other failures are not its fault', async () => {
  await call('/providers/openai', {
    json: { api_key: 'sk-of-the-tests-0123', name: 'Team' },
    headers: { accept: 'application/json' },
  })
  const fail = (error: string) =>
    change(`update vault.provider_keys set last_error = $1, last_error_at = now(), last_used_at = now()`, [
      error,
    ])
  await fail('OpenAI is overloaded.')
  assert.deepEqual(await whoSees('provider_key'), [])
  await fail('OpenAI refused the stored provider key: bad key.')
  assert.deepEqual(await whoSees('provider_key'), ['owner', 'admin'])
  assert.equal((await found(owner, 'provider_key'))?.title, 'The provider key “Team” (…0123) is refused')
  await change(`update vault.provider_keys set last_used_at = now() + interval '1 second'`)
  assert.deepEqual(await whoSees('provider_key'), [])
})

test('a model without a price and a channel that fails need an admin', async () => {
  await change(
    `insert into usage.hourly (group_id, hour, provider, model, is_error, requests, unpriced_requests,
       estimated_requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens,
       duration_ms)
     values ($1, date_trunc('hour', now()), 'openai', 'gpt-unheard-of', false, 3, 3, 0, 0, 0, 0, 0, 0, 0)`,
    [first.groupId],
  )
  assert.deepEqual(await whoSees('unpriced_model'), ['owner', 'admin'])
  const model = await found(owner, 'unpriced_model')
  assert.deepEqual(
    [model?.detail, model?.url],
    ['The cost of 3 requests in 7 days is not known.', '/usage/prices?q=gpt-unheard-of'],
  )
  await change('delete from usage.hourly')
  assert.deepEqual(await whoSees('unpriced_model'), [])

  const config = { url: 'https://hooks.example.com/x', secret: 'a-long-secret' }
  const { json: channel } = await call('/api/v1/channels', {
    json: { name: 'On-call', type: 'webhook', config },
  })
  await change(
    `update notifications.channels set failures = 1, failing_since = now(), last_error = 'timed out'`,
  )
  assert.deepEqual(await whoSees('channel_failing'), ['owner', 'admin'])
  assert.equal((await found(owner, 'channel_failing'))?.url, `/notifications?channel=${channel.id}`)
  await call(`/api/v1/channels/${channel.id}`, { method: 'PATCH', json: { is_active: false } })
  await change('select 1')
  assert.deepEqual(await whoSees('channel_failing'), [])
})

test('my tickets without activity for 14 days need me, and nobody else', async () => {
  const { json: me } = await member('/api/v1/me')
  const tickets = [
    { title: 'By address', assignee: me.user.email.toUpperCase() },
    { title: 'Before the @', assignee: me.user.email.split('@')[0] },
    { title: 'Of somebody else', assignee: 'grace' },
    { title: 'Of nobody' },
  ]
  for (const json of tickets) await call('/api/tickets', { json })
  await change(`update records.tickets set last_activity_at = now() - interval '13 days'`)
  assert.deepEqual(await whoSees('ticket_stale'), [])
  await change(`update records.tickets set last_activity_at = now() - interval '15 days'`)
  assert.deepEqual(await whoSees('ticket_stale'), ['member'])
  const stale = await found(member, 'ticket_stale')
  assert.deepEqual([stale?.count, stale?.severity], [2, 'info'])
  await change(`update records.tickets set status = 'done', completed_at = now()`)
  assert.deepEqual(await whoSees('ticket_stale'), [])
})

test('what only an alert knows is there while it fires, and the worst comes first', async () => {
  const { json: alert } = await call('/api/v1/alerts', { json: { name: 'Backups', kind: 'backup_failed' } })
  await change(
    `insert into alerts.firings (id, alert_id, group_id, thing, title, text, path, data, fired_at)
     values ($1, $2, $3, 'backup', 'Backup failed: disk full', 'Run it by hand.', '/console?type=system', '{}', now())`,
    [randomUUID(), alert.id, first.groupId],
  )
  await change(`update records.services set state = 'down' where name = 'search'`)
  assert.deepEqual(
    (await listOf(viewer)).map(({ title, severity }) => `${severity}: ${title}`),
    ['critical: search is down', 'error: Backup failed: disk full'],
  )
  await change('update alerts.firings set ended_at = fired_at')
  assert.equal(await found(viewer, 'alert_firing'), undefined)
})

test('the total counts unread notifications, but none about a thing that is there already', async () => {
  const notify = (title: string, page: string) =>
    database.pool.query(
      `insert into notifications.notifications (id, group_id, kind, severity, state, title, text, path, key, data, is_open)
       values ($1, $2, 'service_down', 'error', 'firing', $3, '', $4, $3, '{}', true)`,
      [randomUUID(), first.groupId, title, page],
    )
  await notify('search is down', '/services/search')
  await notify('Deployment failed', '/deployments?service=search')
  const total = async () => (await member(path)).json.total
  assert.equal(await total(), 2, 'the service, and the deployment')
  await change(`update records.services set state = 'up'`)
  assert.equal(await total(), 2, 'both notifications')
  await member('/api/v1/notifications/read', { json: {} })
  assert.equal(await total(), 0)
})

test('a key sees what its scopes can read, and other groups do not exist', async () => {
  await change(`update records.services set state = 'down' where name = 'search'`)
  const reader = await keyWith(product, ['read'])
  assert.deepEqual(
    (await listOf(reader)).map(({ kind }) => kind),
    ['service_down'],
  )
  const gateway = await keyWith(product, ['gateway'])
  assert.equal((await gateway(path)).status, 403)
  assert.equal((await member(`${path}?group_id=${other.id}`)).status, 404)
  assert.deepEqual((await outsider(path)).json, { data: [], total: 0 })
  assert.equal((await member(`${path}?group_id=x`)).status, 400)
  assert.equal((await member(`${path}?kind=x`)).status, 400)
})
