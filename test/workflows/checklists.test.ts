import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJudged, stepsOf } from './settled.ts'

const { product, play } = await startJudged()
for (const sql of [
  'create table customers (id int primary key, email text)',
  'create table orders (id int primary key, customer_id int, email text, number text)',
  "insert into customers select n, 'c' || n from generate_series(1, 5) n",
  "insert into orders select n, n % 5 + 1, 'o' || n, 'N' || n from generate_series(1, 10) n",
  "insert into orders values (11, 99, null, 'N1'), (12, 98, null, 'N2'), (13, 1, 'x', 'N3')",
])
  assert.equal((await product.execute(sql)).status, 200, sql)

const schema = "select column_name from information_schema.columns where table_name = 'orders'"
const count = 'select count(*) from orders'
const index = 'create index if not exists orders_by_customer on orders (customer_id)'
const sample = 'select * from orders where customer_id = 1 limit 3'

test('a migration with every step is complete, and its devlog has what really came back', async () => {
  const { workflow, devlogs, devlogIds, again } = await play(
    'Add an index for slow order look-ups',
    async (it) => {
      await it.execute(schema)
      await it.execute(count)
      await it.migrate('orders-by-customer', [index])
      await it.execute(count)
      await it.execute(sample)
    },
  )
  assert.deepEqual([workflow?.kind, workflow?.status], ['migration', 'complete'])
  assert.equal(
    stepsOf(workflow),
    'schema_read idempotent_sql counts_before migrate counts_after sample_query',
  )
  for (const step of workflow?.steps ?? []) assert.equal(step.evidence.length, 1, step.id)
  const [devlog, ...others] = devlogs
  assert.equal(others.length, 0)
  assert.ok(devlog)
  const { id, content, ...fields } = devlog
  assert.deepEqual(fields, {
    service_id: 'data-engineer',
    log_type: 'config',
    title: 'CREATE INDEX on orders in application',
    tags: ['application', 'migration', 'create-index'],
    metadata: {
      intent: 'Add an index for slow order look-ups',
      sql: index,
      validation: { pre_count: 13, post_count: 13, verified: true },
    },
    author_kind: 'ai',
    author: 'data-engineer',
  })
  const audit = workflow?.steps.find((step) => step.id === 'migrate')?.evidence[0]
  assert.equal(
    content,
    `## SQL\n\n\`\`\`sql\n${index}\n\`\`\`\n\n## Result\n\n- Outcome: executed\n- Database: application\n` +
      `- Rows in orders: 13 before, 13 after\n- Verified: yes\n- Audit log: ${audit}\n`,
  )
  assert.deepEqual(devlogIds, [id])
  assert.deepEqual(again.devlogIds, [id], 'written once')
})

test('counts and samples may be the checks of the migration itself', async () => {
  const { workflow, devlogs } = await play('Add a column', async (it) => {
    await it.execute(schema)
    const { json } = await it.migrate(
      'orders-note',
      ['alter table orders add column if not exists note text'],
      {
        checks: [count, sample],
      },
    )
    await it.decide(json.approval_id, 'approve')
    await it.migrate('orders-note', ['alter table orders add column if not exists note text'], {
      checks: [count, sample],
      approval_id: json.approval_id,
    })
  })
  assert.equal(workflow?.status, 'complete', stepsOf(workflow))
  assert.equal(devlogs.length, 1, 'asking, approving and running is one operation')
  assert.equal(devlogs[0]?.title, 'ALTER TABLE on orders in application')
  assert.deepEqual(devlogs[0]?.metadata['validation'], { pre_count: 13, post_count: 13, verified: true })
})

const steps: Record<
  string,
  (it: Parameters<Parameters<typeof play>[1]>[0], name: string) => Promise<unknown>
> = {
  schema_read: (it) => it.execute(schema),
  counts_before: (it) => it.execute(count),
  migrate: (it, name) => it.migrate(name, ["update orders set number = 'N1' where id = 1"]),
  counts_after: (it) => it.execute(count),
  sample_query: (it) => it.execute(sample),
}

for (const skipped of ['schema_read', 'counts_before', 'counts_after', 'sample_query'])
  test(`a migration without ${skipped} is incomplete, whatever the model says`, async () => {
    const { workflow, devlogs } = await play('Change a number', async (it) => {
      for (const [id, step] of Object.entries(steps)) if (id !== skipped) await step(it, `without-${skipped}`)
    })
    assert.equal(workflow?.status, 'incomplete')
    assert.deepEqual(
      workflow?.steps.filter(({ done }) => !done).map(({ id }) => id),
      [skipped],
    )
    const counts = devlogs[0]?.metadata['validation'] as Record<string, unknown>
    assert.equal(counts['verified'], !skipped.startsWith('counts'))
    assert.equal(counts['pre_count'], skipped === 'counts_before' ? null : 13)
    assert.equal(counts['post_count'], skipped === 'counts_after' ? null : 13)
  })

test('SQL that is not idempotent, and a change of a schema past the migration operation, are steps left out', async () => {
  const { workflow } = await play('Add an index', async (it) => {
    await it.execute(schema)
    await it.execute(count)
    await it.execute('create index orders_by_email on orders (email)')
    await it.execute(count)
    await it.execute(sample)
  })
  assert.equal(
    stepsOf(workflow),
    'schema_read -idempotent_sql counts_before -migrate counts_after sample_query',
  )
})

test('a table that the migration creates had no rows before, because the database says it was not there', async () => {
  const { workflow, devlogs } = await play('A table for notes', async (it) => {
    await it.execute(schema)
    const statements = [
      'create table if not exists notes (id int primary key)',
      'insert into notes values (1), (2) on conflict do nothing',
    ]
    await it.migrate('notes', statements)
    await it.execute('select count(*) from notes')
    await it.execute('select * from notes limit 1')
  })
  assert.equal(workflow?.status, 'complete', stepsOf(workflow))
  assert.deepEqual(devlogs[0]?.metadata['validation'], { pre_count: 0, post_count: 2, verified: true })
})

test('counts of another table, another database or beyond another change prove nothing', async () => {
  const { workflow, devlogs } = await play('Remove customers', async (it) => {
    await it.execute(schema)
    await it.execute(count)
    await it.execute('select count(*) from customers', { database: 'calendar' })
    await it.migrate('customer-4', ['delete from customers where id = 4'])
    await it.execute('select count(*) from customers where id > 0')
    await it.migrate('customer-5', ['delete from customers where id = 5'])
    await it.execute('select count(*) from customers')
    await it.execute('select * from customers limit 1')
  })
  assert.equal(stepsOf(workflow).includes('-counts_before'), true)
  assert.deepEqual(
    devlogs.map(({ metadata }) => metadata['validation']),
    [
      { pre_count: null, post_count: null, verified: false },
      { pre_count: null, post_count: 3, verified: false },
    ],
  )
})

test('counts that do not fit what the database did are not verified', async () => {
  const { devlogs } = await play('Remove an order', async (it) => {
    await it.execute(count)
    await it.execute('delete from orders where id = 13')
    await product.admin("insert into orders values (13, 1, 'x', 'N3')")
    await it.execute(count)
  })
  assert.deepEqual(
    [devlogs[0]?.title, devlogs[0]?.metadata['validation']],
    ['DELETE on orders in application', { pre_count: 13, post_count: 13, verified: false }],
  )
})

test('a drop that a person rejects is an operation with that outcome, and nothing was verified', async () => {
  const { workflow, devlogs } = await play('Drop the orders', async (it) => {
    await it.execute(schema)
    await it.execute(count)
    const { json } = await it.migrate('drop-orders', ['drop table if exists orders'])
    await it.decide(json.approval_id, 'reject')
    await it.migrate('drop-orders', ['drop table if exists orders'], { approval_id: json.approval_id })
  })
  assert.equal(
    stepsOf(workflow),
    'schema_read idempotent_sql counts_before -migrate -counts_after -sample_query',
  )
  assert.equal(devlogs.length, 1)
  assert.equal(devlogs[0]?.title, 'DROP TABLE on orders in application: rejected')
  assert.deepEqual(devlogs[0]?.metadata['validation'], { pre_count: 13, post_count: null, verified: false })
  assert.match(devlogs[0]?.content ?? '', /- Outcome: rejected/)
})

test('a statement that only waits or was tried out is no operation yet; a refused one is', async () => {
  const { devlogs } = await play('Truncate', async (it) => {
    await it.execute('truncate orders')
    await it.execute('delete from orders', { dry_run: true })
    await it.execute('create role intruder')
  })
  assert.deepEqual(
    devlogs.map(({ title }) => title),
    ['CREATE ROLE in application: refused'],
  )
})

const nulls = 'select count(*) from orders where email is null'
const duplicates = 'select number, count(*) from orders group by number having count(*) > 1'
const orphans = 'select o.id from orders o left join customers c on c.id = o.customer_id where c.id is null'
const spot = 'select * from orders limit 5'

test('a validation finds planted nulls, duplicates and orphans, and says how many', async () => {
  await product.admin("insert into customers values (4, 'c4'), (5, 'c5') on conflict do nothing")
  const { workflow, devlogs } = await play('Check the orders', async (it) => {
    for (const sql of [count, nulls, duplicates, orphans, spot]) await it.execute(sql)
  })
  assert.deepEqual([workflow?.kind, workflow?.status], ['validation', 'complete'])
  assert.equal(stepsOf(workflow), 'baseline_count null_check duplicate_check foreign_key_check spot_check')
  const [devlog] = devlogs
  assert.ok(devlog)
  const { id: _id, content, ...fields } = devlog
  assert.deepEqual(fields, {
    service_id: 'data-engineer',
    log_type: 'config',
    title: 'Validation of orders in application: 7 problems found',
    tags: ['application', 'validation'],
    metadata: {
      intent: 'Check the orders',
      sql: [count, nulls, duplicates, orphans, spot].join(';\n'),
      validation: { pre_count: 13, post_count: 13, verified: false },
    },
    author_kind: 'ai',
    author: 'data-engineer',
  })
  for (const line of [
    '| Baseline count | 13 rows |',
    '| Null checks on required columns | 2 found |',
    '| Duplicate checks by unique key | 3 found |',
    '| Foreign-key checks through left joins | 2 found |',
    '| Spot check of a few rows | 5 rows read |',
  ])
    assert.ok(content.includes(line), content)
})

test('a validation that finds nothing is verified, and one without a step is not', async () => {
  const clean = [
    'select count(*) from customers',
    'select count(*) filter (where email is null) as nulls from customers',
    'select count(*), count(distinct email) from customers',
    'select count(*) from customers c left join customers d on d.id = c.id where d.id is null',
    'select * from customers limit 3',
  ]
  const whole = await play('Check the customers', async (it) => {
    for (const sql of clean) await it.execute(sql)
  })
  assert.deepEqual(whole.devlogs[0]?.metadata['validation'], { pre_count: 5, post_count: 5, verified: true })
  const part = await play('Check the customers', async (it) => {
    for (const sql of clean.slice(0, 4)) await it.execute(sql)
  })
  assert.deepEqual(
    [part.workflow?.status, stepsOf(part.workflow).endsWith('-spot_check')],
    ['incomplete', true],
  )
  assert.deepEqual(part.devlogs[0]?.metadata['validation'], { pre_count: 5, post_count: 5, verified: false })
})

test('a validation that was asked for and did nothing but count is incomplete', async () => {
  const { workflow } = await play('Validate the orders table', async (it) => void (await it.execute(count)))
  assert.deepEqual([workflow?.kind, workflow?.status], ['validation', 'incomplete'])
})

test('a question and a change of a few rows follow no checklist; the change has a devlog', async () => {
  const question = await play('How many orders?', async (it) => void (await it.execute(count)))
  assert.deepEqual(
    [question.workflow, question.devlogs.map(({ tags }) => tags)],
    [null, [['application', 'read']]],
  )
  const change = await play('Rename a customer', async (it) => {
    await it.execute("update customers set email = 'new' where id = 1")
  })
  assert.deepEqual(
    [change.workflow, change.devlogs[0]?.tags],
    [null, ['application', 'data-change', 'update']],
  )
})

test('keys in a request, in SQL and in an error are masked', async () => {
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
  const { devlogs } = await play(`Store ${secret}`, async (it) => {
    await it.execute(`insert into customers values (77, '${secret}')`)
    await it.execute(`insert into nowhere values ('${secret}')`)
  })
  assert.equal(devlogs.length, 2)
  assert.ok(!JSON.stringify(devlogs).includes(secret))
})

test('text of a statement stays text in the Markdown', async () => {
  const { devlogs } = await play('Odd', async (it) => {
    await it.execute("insert into customers values (78, '```\n# Not a heading\n<script>')")
  })
  assert.match(devlogs[0]?.content ?? '', /^## SQL\n\n````sql\n.*\n````\n\n## Result\n/s)
})
