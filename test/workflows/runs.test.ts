import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels } from '#test/gateway'
import { platform, startRuns } from '#test/runs'
import { waitFor } from '#test/wait'
import { stepsOf } from './settled.ts'

const it = await startRuns()
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
interface Devlog {
  id: string
  group_id: string
  content: string
  created_at: string
  updated_at: string
}
const contentOf = (sql: string, result: readonly string[]): string =>
  `## SQL\n\n\`\`\`sql\n${sql}\n\`\`\`\n\n## Result\n\n${result.join('\n')}\n`
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
  const devlogs = async (): Promise<Devlog[]> => (await it.call(`/api/devlogs?service_id=${agent}`)).json.data
  /** The newest devlog, without what is different each time; entries of the audit log are only counted. */
  const newest = async (count: number) => {
    const all = await devlogs()
    assert.equal(all.length, count)
    const { id, group_id, created_at, updated_at, content, ...fields } = all[0] ?? assert.fail('no devlog')
    assert.match(id, uuid)
    assert.equal(group_id, it.first.groupId)
    for (const at of [created_at, updated_at]) assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000)
    const text = content.replace(/(?<=Audit log: ).*/, (ids) => {
      for (const each of ids.split(', ')) assert.match(each, uuid)
      return `${ids.split(', ').length} entries`
    })
    return { id, fields: { ...fields, content: text } }
  }
  const shared = {
    service_id: agent,
    service: agent,
    log_type: 'config',
    author_kind: 'ai',
    author: agent,
  }
  const shownName = `orders\\_${wire}`

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
    const change = await newest(1)
    assert.deepEqual(change.fields, {
      ...shared,
      title: `ALTER TABLE on ${orders} in application`,
      content: contentOf(alter, [
        '- Outcome: executed',
        '- Database: application',
        `- Rows in ${shownName}: 3 before, 3 after`,
        '- Verified: yes',
        '- Audit log: 3 entries',
      ]),
      tags: ['application', 'migration', 'alter-table'],
      metadata: {
        intent: 'Orders need notes',
        sql: alter,
        validation: { pre_count: 3, post_count: 3, verified: true },
      },
    })
    await waitFor('the event of the devlog', async () => {
      const { json } = await it.call(`/api/console/events?type=devlog&service=${agent}`)
      return json.data.some((event: { metadata: { id?: string } }) => event.metadata.id === change.id)
    })

    const drop = `drop table if exists ${orders}`
    play([schema, count, migrate(`drop-${wire}`, drop)])
    const dropping = await it.ask(agent, { request: 'Drop the orders' })
    assert.ok(dropping.waiting_for?.kind === 'approval', JSON.stringify(dropping.error))
    await it.call(`/api/v1/sql/approvals/${dropping.waiting_for.approval_id}/reject`, { json: {} })
    const refused = await it.until(dropping.run_id, 'completed')
    assert.equal(
      stepsOf(refused.workflow),
      'schema_read idempotent_sql counts_before -migrate -counts_after -sample_query',
    )
    assert.deepEqual((await newest(2)).fields, {
      ...shared,
      title: `DROP TABLE on ${orders} in application: rejected`,
      content: contentOf(drop, [
        '- Outcome: rejected',
        '- Database: application',
        `- Rows in ${shownName}: 3 before, not counted after`,
        '- Verified: no',
        '- Audit log: 2 entries',
      ]),
      tags: ['application', 'migration', 'drop-table'],
      metadata: {
        intent: 'Drop the orders',
        sql: drop,
        validation: { pre_count: 3, post_count: null, verified: false },
      },
    })

    const checks = [
      `select count(*) from ${orders}`,
      `select count(*) from ${orders} where email is null`,
      `select number from ${orders} group by number having count(*) > 1`,
      `select o.id from ${orders} o left join customers c on c.id = o.customer_id where c.id is null`,
      `select * from ${orders} limit 2`,
    ]
    play(checks.map(select))
    const validated = await it.ask(agent, { request: 'Check the orders' })
    assert.equal(validated.status, 'completed', JSON.stringify(validated.error))
    assert.deepEqual([validated.workflow?.kind, validated.workflow?.status], ['validation', 'complete'])
    assert.deepEqual((await newest(3)).fields, {
      ...shared,
      title: `Validation of ${orders} in application: 3 problems found`,
      content: contentOf(checks.join(';\n'), [
        '| Step | Result |',
        '| --- | --- |',
        '| Baseline count | 3 rows |',
        '| Null checks on required columns | 1 found |',
        '| Duplicate checks by unique key | 1 found |',
        '| Foreign-key checks through left joins | 1 found |',
        '| Spot check of a few rows | 2 rows read |',
        '',
        '- Verified: no',
      ]),
      tags: ['application', 'validation'],
      metadata: {
        intent: 'Check the orders',
        sql: checks.join(';\n'),
        validation: { pre_count: 3, post_count: 3, verified: false },
      },
    })
  })
}
