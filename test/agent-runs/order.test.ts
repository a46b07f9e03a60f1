import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'

const it = await startRuns()
await it.execute('create table numbers (n int)')
await it.execute('create table places (name text)')
await it.execute("insert into places values ('old')")
await it.agent('writer', {
  mcp_servers: platform,
  policy: {
    ...sqlPolicy,
    allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    requires_approval: ['TRUNCATE'],
  },
})
const lastSent = (): string => JSON.stringify(it.fake.requests.at(-1)?.json)

beforeEach(() => it.fake.reset())

test('the calls of one response run one after the other, in its order', async () => {
  const statements = [
    'select count(*) from numbers',
    'insert into numbers select generate_series(1, 200000)',
    'update numbers set n = n + 1 where n <= 100000',
    'delete from numbers where n > 100001',
    'select count(*) from numbers',
  ]
  it.script({ toolCalls: statements.map((each) => sqlCall(each)) }, { text: 'Done.' })
  const run = await it.ask('writer')
  const figures = run.tool_calls.map(
    ({ result }) => /"(?:count|rows_affected)":(\d+)/.exec(result ?? '')?.[1],
  )
  // 2 to 100,001 after the update, with 100,001 twice.
  assert.deepEqual(figures, ['0', '200000', '100000', '99999', '100001'])
  const log = (await it.call('/api/v1/sql/logs?agent_id=writer&status=executed')).json.data as {
    sql: string
  }[]
  assert.deepEqual(
    log.map(({ sql }) => sql),
    statements.toReversed(),
  )
})

test('nothing of a response runs behind a call that waits, and the model hears which calls did not run', async () => {
  it.script({ toolCalls: [sqlCall('truncate places'), sqlCall("insert into places values ('new')")] })
  const run = await it.ask('writer')
  assert.equal(run.status, 'waiting')
  assert.deepEqual(
    run.tool_calls.map(({ status }) => status),
    ['waiting', 'skipped'],
  )
  assert.deepEqual(await it.admin('select name from places'), [{ name: 'old' }])
  assert.ok(run.waiting_for?.kind === 'approval')
  it.script({ toolCalls: [sqlCall("insert into places values ('new')")] }, { text: 'Reloaded.' })
  await it.call(`/api/v1/sql/approvals/${run.waiting_for.approval_id}/approve`, { json: {} })
  await it.until(run.run_id, 'completed')
  assert.match(lastSent(), /Not run: a call before it in the same response waits for a person/)
  assert.deepEqual(await it.admin('select name from places'), [{ name: 'new' }])
})

test('a run that calls tools that do not exist ends after a few calls', async () => {
  it.fake.always('openai', { toolCalls: [{ name: 'no_such_tool', arguments: {} }] })
  const run = await it.ask('writer')
  assert.deepEqual([run.status, run.error?.code, run.steps], ['failed', 'repeated_failures', 5])
  assert.match(lastSent(), /There is no tool \\"no_such_tool\\"/)
})

test('a run that repeats a failing call with the same arguments hears so, and ends after a few calls', async () => {
  it.fake.always('openai', { toolCalls: [sqlCall('select * from nowhere')] })
  const run = await it.ask('writer')
  // The first call is no repetition.
  assert.deepEqual([run.status, run.error?.code, run.steps], ['failed', 'repeated_failures', 6])
  assert.match(lastSent(), /failed before with the same arguments/)
  assert.doesNotMatch(JSON.stringify(it.fake.requests.at(1)?.json), /failed before with the same arguments/)
})

test('a failing call may be repeated when it works by then', async () => {
  const call = sqlCall(
    "insert into places values ((1 / (select count(*) from places where name = 'x'))::text)",
  )
  it.script(
    { toolCalls: [call] },
    { toolCalls: [sqlCall("insert into places values ('x')")] },
    ...Array.from({ length: 6 }, () => ({ toolCalls: [call] })),
    { text: 'Done.' },
  )
  const run = await it.ask('writer')
  assert.deepEqual([run.status, run.steps], ['completed', 9])
})
