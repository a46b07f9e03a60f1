import assert from 'node:assert/strict'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { keyWith, personWith } from '#test/people'
import { startProduct } from '#test/product'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'

const it = await startRuns()
const things = {
  things: { command: process.execPath, args: [join(import.meta.dirname, 'tool-server.js')] },
}
const tool = (name: string) => ({ toolCalls: [{ name, arguments: {} }] })
const answer = (id: string, json: object, by = it.call) => by(`/api/agent-runs/${id}/answer`, { json })
const lastSent = (): string => JSON.stringify(it.fake.requests.at(-1)?.json)
await it.execute('create table items (id int primary key)')
await it.execute('insert into items select generate_series(1, 20)')
await it.agent('engineer', { mcp_servers: platform, policy: sqlPolicy })
for (const mode of ['default', 'plan', 'acceptEdits', 'dontAsk', 'bypassPermissions'])
  await it.agent(mode.toLowerCase(), {
    // Each server is a process per run, so only those have both that also use SQL.
    mcp_servers: mode === 'plan' || mode === 'dontAsk' ? { ...things, ...platform } : things,
    permission_mode: mode,
    policy: sqlPolicy,
  })

beforeEach(() => it.fake.reset())

/** How the calls of look, write and wipe end under a mode, without anybody who answers. */
const underMode = async (agent: string): Promise<string[]> => {
  const names = ['look', 'write', 'wipe']
  it.script({ toolCalls: names.map((name) => ({ name, arguments: {} })) }, { text: 'Done.' })
  const run = await it.ask(agent)
  return names.map((name) => run.tool_calls.find((call) => call.name === name)?.status ?? 'none')
}

for (const [agent, expected] of [
  ['default', ['done', 'waiting', 'skipped']],
  // Not offered at all.
  ['plan', ['done', 'failed', 'failed']],
  ['acceptedits', ['done', 'done', 'waiting']],
  ['dontask', ['done', 'denied', 'denied']],
  ['bypasspermissions', ['done', 'done', 'done']],
] as const)
  test(`permission mode ${agent}`, async () => assert.deepEqual(await underMode(agent), expected))

test('SQL in plan only reads, and in dontAsk nothing waits for approval', async () => {
  it.script(
    { toolCalls: [sqlCall('select 1'), sqlCall('insert into items values (100)')] },
    { text: 'Done.' },
  )
  const plan = await it.ask('plan')
  assert.deepEqual(plan.tool_calls.map(({ status }) => status).toSorted(), ['done', 'failed'])
  it.script({ toolCalls: [sqlCall('delete from items where id = 20')] }, { text: 'Done.' })
  const silent = await it.ask('dontask')
  assert.equal(silent.status, 'completed')
  assert.match(silent.tool_calls[0]?.result ?? '', /permission mode/)
  assert.equal((await it.admin('select count(*)::int as n from items'))[0]?.['n'], 20)
})

test('a tool that a person allows is called, one that is denied is not, and the run continues', async () => {
  it.script(tool('wipe'))
  const run = await it.ask('default')
  assert.deepEqual(run.waiting_for && { ...run.waiting_for, tool_call_id: '', wait_id: '' }, {
    kind: 'tool',
    tool_call_id: '',
    wait_id: '',
    tool: 'wipe',
    arguments: {},
  })
  const key = await keyWith(it, ['agents', 'sql', 'read', 'gateway'])
  assert.equal((await answer(run.run_id, { decision: 'approve' }, key)).status, 403)
  const viewer = await personWith(it, 'viewer')
  assert.equal((await answer(run.run_id, { decision: 'approve' }, viewer)).status, 403)
  assert.equal((await answer(run.run_id, { text: 'yes' })).status, 400)
  it.script({ text: 'It is wiped.' })
  assert.equal((await answer(run.run_id, { decision: 'approve' })).status, 200)
  const done = await it.until(run.run_id, 'completed')
  assert.deepEqual([done.response, done.tool_calls[0]?.status], ['It is wiped.', 'done'])
  assert.match(lastSent(), /wiped/)
  assert.equal((await answer(run.run_id, { decision: 'approve' })).status, 409)
  it.script(tool('wipe'))
  const other = await it.ask('default')
  it.script({ text: 'Then not.' })
  await answer(other.run_id, { decision: 'deny', text: 'too dangerous' })
  const denied = await it.until(other.run_id, 'completed')
  assert.equal(denied.tool_calls[0]?.status, 'denied')
  assert.match(lastSent(), /too dangerous/)
})

test('an answer is for the call that was seen, not for the next one', async () => {
  it.script(tool('write'), tool('wipe'))
  const { run_id: id, waiting_for: first } = await it.ask('default')
  assert.ok(first?.kind === 'tool' && first.tool === 'write')
  const seen = { decision: 'approve', wait_id: first.wait_id }
  assert.equal((await answer(id, seen)).status, 200)
  const next = await waitFor('the next call to wait', async () => {
    const { waiting_for: wait } = await it.run(id)
    return wait?.kind === 'tool' && wait.tool === 'wipe' && wait
  })
  assert.equal((await answer(id, seen)).status, 409)
  assert.equal((await it.run(id)).waiting_for?.wait_id, next.wait_id)
  it.script({ text: 'Then not.' })
  assert.equal((await answer(id, { decision: 'deny', wait_id: next.wait_id })).status, 200)
  await it.until(id, 'completed')
})

test('a question waits for a text, and the answer reaches the model', async () => {
  it.script({ toolCalls: [{ name: 'ask_person', arguments: { question: 'Which table?' } }] })
  const run = await it.ask('engineer')
  assert.equal(run.waiting_for?.kind === 'question' && run.waiting_for.question, 'Which table?')
  it.script({ text: 'Thanks.' })
  await answer(run.run_id, { text: 'The second one.' })
  await it.until(run.run_id, 'completed')
  assert.match(lastSent(), /The second one\./)
})

test('what is approved runs as it was asked for; what is rejected does not, and the model hears why', async () => {
  it.script({ toolCalls: [sqlCall('delete from items where id = 1')] })
  const run = await it.ask('engineer')
  const wait = run.waiting_for
  assert.ok(wait?.kind === 'approval')
  assert.deepEqual([wait.sql, wait.database], ['delete from items where id = 1', 'application'])
  assert.equal(wait.link, `${it.url}/sql/approvals/${wait.approval_id}`)
  assert.equal((await answer(run.run_id, { decision: 'approve' })).status, 409)
  it.script({ text: 'Deleted.' })
  assert.equal((await it.call(`/api/v1/sql/approvals/${wait.approval_id}/approve`, { json: {} })).status, 200)
  const done = await it.until(run.run_id, 'completed')
  assert.match(done.tool_calls[0]?.result ?? '', /"rows_affected":1/)
  it.script({ toolCalls: [sqlCall('delete from items where id = 2')] })
  const other = await it.ask('engineer')
  assert.ok(other.waiting_for?.kind === 'approval')
  it.script({ text: 'Then not.' })
  await it.call(`/api/v1/sql/approvals/${other.waiting_for.approval_id}/reject`, {
    json: { note: 'keep it' },
  })
  const rejected = await it.until(other.run_id, 'completed')
  assert.deepEqual([rejected.tool_calls[0]?.status, rejected.response], ['denied', 'Then not.'])
  assert.match(lastSent(), /keep it/)
  assert.deepEqual(await it.admin('select id from items where id < 3'), [{ id: 2 }])
})

test('a run that waits survives a restart; one in progress is ended clearly', async () => {
  it.script({ toolCalls: [sqlCall('delete from items where id = 5')] })
  const waits = await it.ask('engineer')
  assert.ok(waits.waiting_for?.kind === 'approval')
  it.script({ hang: 'before-headers' })
  const active = await it.ask('engineer', { async: true })
  await waitFor('the model to be asked', () => it.fake.requests.length === 2)
  await it.stop()
  const again = await startProduct({ ...it.fake.baseUrls, DATA_DIR: it.config.DATA_DIR }, it.target)
  const ended = (await again.call(`/api/agent-runs/${active.run_id}`)).json
  assert.deepEqual([ended.status, ended.error.code], ['failed', 'interrupted'])
  it.script({ text: 'Deleted after the restart.' })
  await again.call(`/api/v1/sql/approvals/${waits.waiting_for.approval_id}/approve`, { json: {} })
  const done = await waitFor('the end', async () => {
    const { json } = await again.call(`/api/agent-runs/${waits.run_id}`)
    return json.status === 'completed' && json
  })
  assert.equal(done.response, 'Deleted after the restart.')
  await again.stop()
})
