import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platform, sqlCall, startRuns } from '#test/runs'

const it = await startRuns()
const policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT', 'INSERT', 'DELETE', 'UPDATE', 'CREATE TABLE'],
  requires_approval: ['DROP'],
  environment: 'dev',
}
await it.execute('create table "Old orders" (id int primary key)')
await it.execute('insert into "Old orders" values (1), (2), (3)')

interface Devlog {
  title: string
  content: string
  tags: string[]
  metadata: { intent: string; sql: string; validation: object }
}

/** The devlogs of a run that makes these calls, oldest first. */
async function devlogsAfter(agent: string, calls: object[]): Promise<Devlog[]> {
  await it.agent(agent, { policy, mcp_servers: platform })
  it.script({ toolCalls: calls as never }, { text: 'Done.' })
  const run = await it.ask(agent, { request: 'Look after the orders.' })
  assert.equal(run.status, 'completed', JSON.stringify(run.error))
  return (await it.call(`/api/devlogs?service_id=${agent}`)).json.data.toReversed()
}

test('the platform counts rows before and after each change, also where the model does not', async () => {
  const devlogs = await devlogsAfter('changes', [
    sqlCall('insert into "Old orders" values (4), (5)'),
    sqlCall('delete from public."Old orders" where id = 1'),
    sqlCall('create table fresh (id int)'),
    {
      name: 'platform_sql_migrate',
      arguments: {
        ...{ database: 'application', name: 'fill', reason: 'a test' },
        statements: ['insert into fresh values (1)', 'insert into fresh values (2)'],
      },
    },
  ])
  assert.deepEqual(
    devlogs.map(({ metadata }) => metadata.validation),
    [
      { pre_count: 3, post_count: 5, verified: true },
      { pre_count: 5, post_count: 4, verified: true },
      { pre_count: 0, post_count: 0, verified: true },
      { pre_count: 0, post_count: 2, verified: true },
    ],
  )
})

test('a run of reads only leaves one devlog with its queries', async () => {
  const devlogs = await devlogsAfter('reads', [
    sqlCall('select id from "Old orders" order by id limit 2'),
    sqlCall('select count(*) from "Old orders"'),
  ])
  assert.equal(devlogs.length, 1)
  const [devlog] = devlogs
  assert.equal(devlog?.title, '2 queries in application')
  assert.deepEqual(devlog?.tags, ['application', 'read'])
  assert.deepEqual(devlog?.metadata, {
    intent: 'Look after the orders.',
    sql: 'select id from "Old orders" order by id limit 2;\nselect count(*) from "Old orders"',
    validation: { pre_count: 4, post_count: 4, verified: true },
  })
  assert.match(devlog.content, /2 rows/)
})
