import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '#test/browser'
import { startSql } from '../../src/sql/testing-sql.ts'

const server = await startSql()
await server.execute('create table users (id int primary key, email text)')
await server.execute(`insert into users values (1, 'ann@hidden.example')`)
const { open } = await startPages(server)
const emails = async (): Promise<unknown> => (await server.execute('select email from users')).json.rows

test('a column is masked, shown to an agent for a time, and masked again', async () => {
  const page = await open('/sql/rules')
  await page.getByText('No grants yet').waitFor()
  await page.getByRole('button', { name: 'Edit the masked columns of application' }).click()
  const masks = page.getByRole('dialog')
  await masks.getByLabel('Columns').fill('users.email')
  await masks.getByLabel('Columns').press('Enter')
  await masks.getByRole('button', { name: 'Save masked columns' }).click()
  await page.getByRole('table', { name: 'Masked columns' }).getByText('users.email').waitFor()
  assert.deepEqual(await emails(), [{ email: '•••' }])

  await page.getByRole('button', { name: 'Give a grant' }).click()
  const grant = page.getByRole('dialog')
  await grant.getByLabel('Agent').selectOption('data-engineer')
  await grant.getByLabel('Database').selectOption('application')
  await grant.getByLabel('Columns it sees').fill('users.email')
  await grant.getByLabel('Reason').fill('Find customers with two accounts')
  await grant.getByRole('button', { name: 'Give grant' }).click()
  await page.getByText(/^1 h 5\d min$|^2 h$/).waitFor()
  assert.deepEqual(await emails(), [{ email: 'ann@hidden.example' }])

  await page.getByRole('button', { name: 'Revoke the grant of data-engineer' }).click()
  await page.getByRole('button', { name: 'Revoke grant' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  assert.deepEqual(await emails(), [{ email: '•••' }])

  await page.goto(`${server.url}/sql?database=application`)
  await page.locator('.cm-editor').waitFor()
  await page.getByLabel('Statement', { exact: true }).fill('select email from users')
  await page.getByText('users.email', { exact: true }).waitFor()
})

test('the policy of an agent gets rules by table and column in its form', async () => {
  const page = await open('/agents/data-engineer')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('Denied tables').fill('a.b.c')
  await page.getByText('must be a name such as users, billing.invoices or billing.*').waitFor()
  await field('Denied tables').fill('users')
  await field('Masked columns').fill('iban')
  await field('Rows of a result').fill('50')
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('Agent updated').waitFor()
  const { json } = await server.call('/api/agents/data-engineer')
  const { tables, masked_columns: masked, max_rows: rows } = json.config.policy
  assert.deepEqual([tables, masked, rows], [{ deny: ['users'] }, ['iban'], 50])
})
