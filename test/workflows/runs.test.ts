import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels } from '#test/gateway'
import { platform, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'
import { stepsOf } from './settled.ts'

const it = await startRuns()
const policy = {
  allowed_databases: ['application'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE INDEX', 'CREATE TABLE'],
  requires_approval: ['DROP', 'TRUNCATE', 'ALTER TABLE'],
  environment: 'dev',
}
const reason = 'I have done every check.'
const select = (sql: string) => ({
  name: 'platform_sql_execute',
  arguments: { database: 'application', sql, reason },
})
const migrate = (name: string, sql: string) => ({
  name: 'platform_sql_migrate',
  arguments: { database: 'application', name, statements: [sql], reason },
})
await it.execute('create table customers (id int primary key)')
await it.execute('insert into customers values (1), (2)')

for (const wire of ['openai', 'anthropic', 'gemini'] as const) {
  const agent = `engineer-${wire}`
  const orders = `orders_${wire}`
  const schema = select(`select column_name from information_schema.columns where table_name = '${orders}'`)
  const count = select(`select count(*) from ${orders}`)
  const play = (calls: ReturnType<typeof select | typeof migrate>[]): void => {
    for (const call of calls) it.fake.script(wire, { toolCalls: [call] })
    it.fake.script(wire, { text: 'Everything is verified.' })
  }
  const devlogs = async (): Promise<Record<string, unknown>[]> =>
    (await it.call(`/api/devlogs?service_id=${agent}`)).json.data

  test(`on the wire of ${wire}: a schema change with approval, a rejected drop, and a validation`, async () => {
    await it.agent(
      agent,
      { policy, mcp_servers: platform, permission_mode: 'bypassPermissions' },
      exampleModels[wire],
    )
    await it.execute(`create table ${orders} (id int primary key, customer_id int, email text, number text)`)
    await it.execute(`insert into ${orders} values (1, 1, 'a', 'N1'), (2, 2, null, 'N1'), (3, 9, 'c', 'N3')`)

    const alter = `alter table ${orders} add column if not exists note text`
    const sample = select(`select * from ${orders} limit 2`)
    play([schema, count, migrate(`note-${wire}`, alter), count, sample])
    const asked = await it.ask(agent, { request: 'Orders need notes' })
    assert.equal(asked.status, 'waiting', JSON.stringify(asked.error))
    assert.ok(asked.waiting_for?.kind === 'approval')
    const { approval_id: approval } = asked.waiting_for
    assert.equal((await it.call(`/api/v1/sql/approvals/${approval}/approve`, { json: {} })).status, 200)
    const changed = await it.until(asked.run_id, 'completed')
    assert.deepEqual([changed.workflow?.kind, changed.workflow?.status], ['migration', 'complete'])
    const [change, ...none] = await devlogs()
    assert.equal(none.length, 0)
    const { id, content, group_id: _group, created_at: _at, updated_at: _later, ...fields } = change ?? {}
    assert.deepEqual(fields, {
      service_id: agent,
      service: agent,
      log_type: 'config',
      title: `ALTER TABLE on ${orders} in application`,
      tags: ['application', 'migration', 'alter-table'],
      metadata: {
        intent: 'Orders need notes',
        sql: alter,
        validation: { pre_count: 3, post_count: 3, verified: true },
      },
      author_kind: 'ai',
      author: agent,
    })
    assert.ok(
      String(content).startsWith(
        `## SQL\n\n\`\`\`sql\n${alter}\n\`\`\`\n\n## Result\n\n- Outcome: executed\n`,
      ),
    )
    await waitFor('the event of the devlog', async () => {
      const { json } = await it.call(`/api/console/events?type=devlog&service=${agent}`)
      return json.data.some((event: { metadata: { id?: string } }) => event.metadata.id === id)
    })

    play([schema, count, migrate(`drop-${wire}`, `drop table if exists ${orders}`)])
    const dropping = await it.ask(agent, { request: 'Drop the orders' })
    assert.ok(dropping.waiting_for?.kind === 'approval', JSON.stringify(dropping.error))
    await it.call(`/api/v1/sql/approvals/${dropping.waiting_for.approval_id}/reject`, { json: {} })
    const refused = await it.until(dropping.run_id, 'completed')
    assert.equal(
      stepsOf(refused.workflow),
      'schema_read idempotent_sql counts_before -migrate -counts_after -sample_query',
    )
    const [drop] = await devlogs()
    assert.equal(drop?.['title'], `DROP TABLE on ${orders} in application: rejected`)
    assert.deepEqual((drop?.['metadata'] as Record<string, unknown> | undefined)?.['validation'], {
      pre_count: 3,
      post_count: null,
      verified: false,
    })

    play([
      count,
      select(`select count(*) from ${orders} where email is null`),
      select(`select number from ${orders} group by number having count(*) > 1`),
      select(`select o.id from ${orders} o left join customers c on c.id = o.customer_id where c.id is null`),
      sample,
    ])
    const validated = await it.ask(agent, { request: 'Check the orders' })
    assert.equal(validated.status, 'completed', JSON.stringify(validated.error))
    assert.deepEqual([validated.workflow?.kind, validated.workflow?.status], ['validation', 'complete'])
    const [found] = await devlogs()
    assert.equal(found?.['title'], `Validation of ${orders} in application: 3 problems found`)
    assert.deepEqual((found?.['metadata'] as Record<string, unknown> | undefined)?.['validation'], {
      pre_count: 3,
      post_count: 3,
      verified: false,
    })
    assert.equal((await devlogs()).length, 3)
  })
}
