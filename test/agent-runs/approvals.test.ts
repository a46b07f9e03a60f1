import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'

const it = await startRuns()
await it.execute('create table items (id int primary key)')
await it.execute('insert into items select generate_series(1, 20)')
const engineer = async (id: string): Promise<string> => {
  await it.agent(id, { mcp_servers: platform, policy: sqlPolicy })
  return id
}
await engineer('engineer')
const ada = await personWith(it, 'member')
const person = (await ada('/api/v1/me')).json.user as { id: string; name: string; email: string }
const approvalOf = async (id: string) => (await it.call(`/api/v1/sql/approvals/${id}`)).json
const post = (path: string, by = it.call) => by(path, { json: {} })
const patch = (id: string, json: object, by = it.call) => by(`/api/agents/${id}`, { method: 'PATCH', json })

/** A run that waits for the approval of this statement. */
async function waiting(sql: string, agent = 'engineer', by = it.call) {
  it.script({ toolCalls: [sqlCall(sql)] })
  const run = await it.ask(agent, { request: 'Tidy up the items.' }, by)
  assert.ok(run.waiting_for?.kind === 'approval', JSON.stringify(run))
  return { run, id: run.waiting_for.approval_id }
}

beforeEach(() => it.fake.reset())

test('an approval ends with its run when that is cancelled, and cannot be approved afterwards', async () => {
  const { run, id } = await waiting('drop table items')
  await post(`/api/agent-runs/${run.run_id}/cancel`)
  const ended = await approvalOf(id)
  assert.deepEqual(
    [ended.status, ended.reason, ended.asked_reason, ended.may_decide],
    ['expired', 'The run that asked for it was cancelled.', 'a test', false],
  )
  assert.equal((await post(`/api/v1/sql/approvals/${id}/approve`)).status, 409)
  const expired = (await it.call('/api/v1/sql/approvals?status=expired')).json.data as { id: string }[]
  assert.ok(expired.some((each) => each.id === id))
  const pending = (await it.call('/api/v1/sql/approvals?status=pending')).json.data as { id: string }[]
  assert.ok(!pending.some((each) => each.id === id))
  assert.equal((await it.admin('select count(*)::int as n from items'))[0]?.['n'], 20)
})

test('an approval that is left open by a run that ended cannot be approved', async () => {
  const { run, id } = await waiting('drop table items')
  await post(`/api/agent-runs/${run.run_id}/cancel`)
  // As a statement leaves it that was still being looked at when its run ended.
  await it.admin(
    `update sql.approvals set status = 'pending', ended_reason = null where id = '${id}'`,
    'status',
  )
  assert.equal((await post(`/api/v1/sql/approvals/${id}/approve`)).status, 409)
  assert.equal((await approvalOf(id)).status, 'expired')
})

test('an approval ends with a run that fails', async () => {
  const unknown = Array.from({ length: 5 }, () => ({ name: 'no_such_tool', arguments: {} }))
  it.script({ toolCalls: [sqlCall('delete from items where id = 1'), ...unknown] })
  assert.equal((await it.ask('engineer')).error?.code, 'repeated_failures')
  const ended = await waitFor('the end of the approval', async () => {
    const [last] = (await it.call('/api/v1/sql/approvals?limit=1')).json.data
    return last.status === 'pending' ? undefined : last
  })
  assert.deepEqual(
    [ended.sql, ended.status, ended.reason],
    ['delete from items where id = 1', 'expired', 'The run that asked for it failed.'],
  )
})

test('approvals, audit entries and runs say which person asked, for what, with which agent and run', async () => {
  const { run, id } = await waiting('delete from items where id = 2', 'engineer', ada)
  const asked_by = {
    user: person,
    agent_id: 'engineer',
    agent_version: 1,
    run_id: run.run_id,
    request: 'Tidy up the items.',
  }
  assert.deepEqual((await it.run(run.run_id)).asked_by, asked_by)
  assert.deepEqual((await approvalOf(id)).asked_by, asked_by)
  it.script({ text: 'Deleted.' })
  await post(`/api/v1/sql/approvals/${id}/approve`)
  await it.until(run.run_id, 'completed')
  const log = (await it.call('/api/v1/sql/logs?limit=3')).json.data as { status: string; asked_by: object }[]
  assert.deepEqual(
    log.map((each) => [each.status, each.asked_by]),
    ['executed', 'approved', 'paused'].map((status) => [status, asked_by]),
  )
  const chain = (await it.call('/api/v1/sql/logs/chain')).json
  assert.equal(chain.problem, null)
})

test('a changed asker in the audit log is found', async () => {
  await waiting('delete from items where id = 5')
  await it.admin('alter table sql.audit disable trigger keep_audit', 'status')
  const tamper = (from: string, to: string) =>
    it.admin(
      `update sql.audit set asked_by = jsonb_set(asked_by, '{request}', '"${to}"')
       where asked_by ->> 'request' = '${from}'`,
      'status',
    )
  await tamper('Tidy up the items.', 'Nothing.')
  assert.match((await it.call('/api/v1/sql/logs/chain')).json.problem, /was changed/)
  await tamper('Nothing.', 'Tidy up the items.')
  assert.equal((await it.call('/api/v1/sql/logs/chain')).json.problem, null)
})

test('what a run asked for is run by the run: nobody runs it beside it', async () => {
  const { run, id } = await waiting('delete from items where id = 3')
  it.script({ hang: 'before-headers' })
  await post(`/api/v1/sql/approvals/${id}/approve`)
  const beside = await post(`/api/v1/sql/approvals/${id}/run`)
  assert.equal(beside.status, 409)
  assert.match(beside.json.error.message, /The run that asked for it runs it/)
  const done = await waitFor('the statement', async () => {
    const [call] = (await it.run(run.run_id)).tool_calls
    return call?.status === 'done' && call
  })
  assert.match(done.result ?? '', /"rows_affected":1/)
  assert.equal((await approvalOf(id)).is_runnable, false)
  await post(`/api/agent-runs/${run.run_id}/cancel`)
})

test('no key changes a policy or a permission mode, not even one with the scope admin', async () => {
  const agent = await engineer('guarded')
  const key = await keyWith(it, ['admin', 'sql', 'read', 'agents'])
  const lax = { ...sqlPolicy, requires_approval: [], allowed_operations: ['SELECT', 'DROP'] }
  for (const config of [{ policy: lax }, { policy: null }, { permission_mode: 'bypassPermissions' }]) {
    const answer = await patch(agent, { config }, key)
    assert.equal(answer.status, 403, answer.text)
    assert.match(answer.json.error.message, /person who is signed in/)
  }
  const made = await key('/api/agents', {
    json: { id: 'lax', name: 'Lax', model: 'm', config: { policy: lax } },
  })
  assert.equal(made.status, 403)
  assert.equal((await patch(agent, { description: 'Still the same' }, key)).status, 200)
  assert.equal((await patch(agent, { config: { policy: sqlPolicy } }, key)).status, 200)
})

test('a change of policy is an event and an audit entry, and ends what is open under the old one', async () => {
  const agent = await engineer('changing')
  const { run, id } = await waiting('delete from items where id = 4', agent)
  it.script({ text: 'Then not.' })
  const policy = { ...sqlPolicy, requires_approval: [...sqlPolicy.requires_approval, 'TRUNCATE'] }
  const version = (await patch(agent, { config: { policy } })).json.policy_version as number
  const ended = await approvalOf(id)
  assert.deepEqual([ended.status, ended.reason], ['expired', 'The policy of the agent changed.'])
  const denied = await it.until(run.run_id, 'completed')
  assert.match(denied.tool_calls[0]?.result ?? '', /policy of the agent changed/)
  const [entry] = (await it.call(`/api/v1/sql/logs?agent_id=${agent}&status=policy_changed`)).json.data
  assert.deepEqual(
    [entry.kind, entry.executor, entry.reason, JSON.parse(entry.sql)],
    ['policy', 'owner@localhost', `Version ${version} of the policy`, policy],
  )
  await waitFor('the event', async () => {
    const { data } = (await it.call('/api/console/events?type=config&limit=200')).json
    return data.some((each: { title: string }) => each.title === `Policy changed: ${agent}`)
  })
})
