import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'

const it = await startRuns()
const hidden = 'ann@hidden.example'
await it.execute('create table users (id int primary key, name text, email text)')
await it.admin(`insert into users values (1, 'Ann', '${hidden}')`)
await it.admin('grant all on users to public')
await it.agent('engineer', {
  mcp_servers: platform,
  permission_mode: 'bypassPermissions',
  policy: { ...sqlPolicy, masked_columns: ['users.email'] },
})

/** What the model gets, what the run and its events keep, its devlog, the audit log and the export. */
async function everything(runId: string): Promise<string> {
  const paths = [`/api/agent-runs/${runId}`, '/api/devlogs', '/api/v1/sql/logs', '/api/v1/sql/logs/export']
  const texts = await Promise.all(paths.map(async (path) => (await it.call(path)).text))
  const events = await it.call(`/api/agent-runs/${runId}/events`)
  const sent = it.fake.requests.map(({ json }) => JSON.stringify(json))
  return [...texts, events.text, ...sent].join('\n')
}

test('the value of a masked column is in nothing that a run sees or leaves', async () => {
  it.script(
    { toolCalls: [sqlCall('select * from users')] },
    { toolCalls: [sqlCall('select email::int from users')] },
    { toolCalls: [sqlCall('insert into users (id, name) values (1, email)')] },
    { toolCalls: [sqlCall('select id from users where email is not null')] },
    { text: 'Done.' },
  )
  const run = await it.ask('engineer', { request: 'Which email has Ann?' })
  assert.equal(run.status, 'completed', JSON.stringify(run))
  const results = run.tool_calls.map(({ result }) => result ?? '')
  assert.match(results[0] ?? '', /•••/)
  const all = await everything(run.run_id)
  assert.match(all, /•••/)
  assert.ok(!all.includes('ann@'), all.slice(all.indexOf('ann@') - 500, all.indexOf('ann@') + 100))
  // The next message gets the conversation again.
  it.script({ toolCalls: [sqlCall('select max(email) from users')] }, { text: 'Still hidden.' })
  const again = await it.call(`/api/agent-runs/${run.run_id}/continue`, { json: { request: 'Try again.' } })
  assert.equal(again.status, 200, again.text)
  assert.ok(!(await everything(run.run_id)).includes('ann@'))
})
