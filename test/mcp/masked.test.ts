import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSql } from '../../src/sql/testing-sql.ts'
import { callTool, httpClient } from './clients.ts'

const it = await startSql()
await it.execute('create table users (id int primary key, email text)')
await it.execute(`insert into users values (1, 'ann@hidden.example')`)
await it.call('/api/v1/sql/databases/application', {
  method: 'PATCH',
  json: { masked_columns: ['users.email'] },
})

test('the tools of agents get the mask, and a migration does not copy the column', async () => {
  const client = await httpClient(it.url, it.key)
  const about = { database: 'application', reason: 'a test' }
  const read = await callTool(client, 'platform_sql_execute', { ...about, sql: 'select email from users' })
  assert.match(read.text, /•••/)
  const copied = await callTool(client, 'platform_sql_migrate', {
    ...about,
    name: 'copy',
    sql: 'create table copy as select email from users',
    checks: ['select email from users'],
  })
  assert.match(copied.text, /masked_column/)
  for (const { text } of [read, copied]) assert.ok(!text.includes('ann@hidden.example'), text)
})
