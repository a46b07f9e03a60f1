import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startSql } from '../../src/sql/testing-sql.ts'

const server = await startSql()
await server.execute('create table customers (id int primary key, email text)')
await server.execute(`insert into customers select g, 'c' || g from generate_series(1, 20) g`)
const { open } = await startPages(server)

const migrate = (name: string, statements: string[], more: object = {}) =>
  server.call('/api/v1/sql/migrate', {
    json: { database: 'application', name, statements, reason: `For ${name}`, ...more },
  })

test('an empty list says what will appear', async () => {
  const page = await open('/sql/migrations')
  await page.getByRole('heading', { name: 'No migrations yet' }).waitFor()
})

test('a migration is asked for, tried on a copy, approved, seen as applied, and rolled back', async () => {
  const asked = await migrate(
    'customers-status',
    [
      "alter table customers add column status text default 'new'",
      'create index by_email on customers (email)',
    ],
    {
      checks: ['select count(*) as n from customers'],
      rollback: ['drop index by_email', 'alter table customers drop column status'],
    },
  )
  assert.equal(asked.status, 202, asked.text)
  const page = await open('/sql/migrations')
  const table = page.getByRole('table', { name: 'Migrations' })
  await table.getByText('Waits for approval').waitFor()
  await table.getByRole('link', { name: 'customers-status' }).click()
  await page.getByRole('heading', { name: 'customers-status', level: 1 }).waitFor()
  const statements = page.getByText("alter table customers add column status text default 'new'")
  await statements.first().waitFor()
  await page.getByText('What it would do').waitFor()
  // What squawk says about it.
  await page.getByText('require-concurrent-index-creation').waitFor()
  await page.getByText('blocks reading and writing').first().waitFor()
  await page.getByRole('button', { name: 'Try on a copy' }).click()
  await page.getByText('Every statement ran').waitFor()
  await page.getByRole('cell', { name: 'public.customers' }).first().waitFor()
  await page.getByRole('link', { name: 'Decide' }).click()
  await page.getByText('Every statement ran').waitFor()
  await page.getByRole('link', { name: 'customers-status' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Approved and run').waitFor()
  await page.getByRole('link', { name: 'customers-status' }).click()
  await page.getByText('Applied', { exact: true }).first().waitFor()
  for (const fact of ['Asked by', 'Asked', 'Approved by', 'Applied', 'Took'])
    await page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${fact}$`) })
      .waitFor()
  await page.getByText('What it did').waitFor()
  await page.getByRole('region', { name: 'Checks' }).getByText('"n": 20').first().waitFor()

  await page.getByRole('button', { name: 'Roll back' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Reason').fill('The default is wrong')
  await form.getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('The rollback waits for approval').waitFor()
  await page.getByRole('link', { name: 'Approval of the rollback' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Approved and run').waitFor()
  await page.goto(`${server.url}/sql/migrations`)
  await table.getByText('Rolled back').waitFor()
  const columns = await server.admin(
    `select from information_schema.columns where table_name = 'customers' and column_name = 'status'`,
  )
  assert.equal(columns.length, 0)
})

test('filters find one of many, and another page is loaded', async () => {
  for (let at = 0; at < 52; at++) await migrate(`many-${at}`, [`create table many_${at} (id int)`])
  const page = await open('/sql/migrations')
  const rows = page.getByRole('table', { name: 'Migrations' }).getByRole('link')
  await rows.first().waitFor()
  assert.equal(await rows.count(), 50)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('link', { name: 'customers-status' }).waitFor()
  await page.getByLabel('State').selectOption('Rolled back')
  await page.getByRole('link', { name: 'many-51' }).waitFor({ state: 'detached' })
  assert.equal(await rows.count(), 1)
  await page.getByLabel('State').selectOption('All states')
  await page.getByLabel('Search migrations').fill('many-17')
  await page.getByRole('link', { name: 'many-16' }).waitFor({ state: 'detached' })
  await rows.first().click()
  await page.getByText('No way back was given. What it created is dropped').waitFor()
})
