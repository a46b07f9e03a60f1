import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startSql } from '../../src/sql/testing-sql.ts'

const server = await startSql()
await server.execute('create table orders (id int primary key, note text)')
await server.execute(
  `insert into orders select g, case when g = 2 then null else 'n' || g end from generate_series(1, 50) g`,
)
const { open } = await startPages(server)

test('the console says what the policy does before anything runs, then shows the rows', async () => {
  const page = await open('/sql?database=application')
  const editor = page.getByLabel('Statement', { exact: true })
  await editor.fill('select id, note from orders order by id')
  await page.getByText('Runs at once').waitFor()
  await editor.press('Control+Enter')
  await page.getByText('50 rows', { exact: false }).waitFor()
  const rows = page.getByRole('table', { name: 'Rows' })
  await rows.getByText('n1', { exact: true }).waitFor()
  await rows.getByText('NULL', { exact: true }).waitFor()
  await editor.fill('select pg_read_file($$/etc/passwd$$)')
  await page.getByText('Refused', { exact: true }).waitFor()
  await page.getByText('Line 1:').waitFor()
})

test('a dry run shows the rows that would go, and keeps nothing', async () => {
  const page = await open('/sql?database=application')
  await page.getByLabel('Statement', { exact: true }).fill('delete from orders where id <= 7')
  await page.getByText('Runs at once').waitFor()
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('cell', { name: '7', exact: true }).waitFor()
  const [left] = await server.admin<{ n: number }>('select count(*)::int as n from orders')
  assert.equal(left?.n, 50)
})

test('a person reads the evidence, approves and runs; the audit log has both', async () => {
  const page = await open('/sql?database=application')
  await page.getByLabel('Statement', { exact: true }).fill('drop table orders')
  await page.getByText('Needs approval').waitFor()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await page.getByRole('link', { name: 'Open the approval' }).click()
  await page.getByText('blocks reading and writing').first().waitFor()
  await page.getByText('public.orders', { exact: true }).first().waitFor()
  await page.getByLabel('Note').fill('Checked')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('Approved and run').waitFor()
  const [gone] = await server.admin<{ there: string | null }>(`select to_regclass('orders') as there`)
  assert.equal(gone?.there, null)
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('drop table orders').first().click()
  await page.getByRole('dialog', { name: 'Attempt' }).getByText('Place in the chain').waitFor()
})

test('an agent is added in a form; its page leads back to the list', async () => {
  const page = await open('/agents')
  await page.getByRole('button', { name: 'Add agent' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Data validator')
  assert.equal(await form.getByLabel('ID').inputValue(), 'data-validator')
  await form.getByLabel('ID').fill('data-engineer')
  await form.getByLabel('Model').fill('gpt-6-sol')
  await form.getByRole('button', { name: 'Add agent' }).click()
  await form.getByText('There is an agent "data-engineer" already.').first().waitFor()
  await form.getByLabel('ID').fill('data-validator')
  await form.getByLabel('Permissions').selectOption('Only reads')
  await form.getByRole('button', { name: 'Add agent' }).click()
  await page.getByRole('heading', { name: 'Data validator', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/agents/data-validator')
  assert.equal(await page.getByLabel('Permissions').inputValue(), 'plan')
  await page.getByRole('main').getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: 'Data validator' }).waitFor()
})

test('the policy of an agent is changed in a form and tried on a statement', async () => {
  const page = await open('/agents')
  await page.getByRole('link', { name: /data/i }).first().click()
  await page.getByLabel('Statement to try').fill('truncate orders')
  await page.getByText('Needs approval').waitFor()
  const approvals = page.getByLabel('Operations that need approval')
  await approvals.fill('DROP\nALTER TABLE')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('Agent updated').waitFor()
  await page.getByText('Refused', { exact: true }).waitFor()
  await approvals.fill('DR0P!')
  await page.getByText('must be words such as DROP TABLE').waitFor()
})
