import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { startSql } from '../../src/sql/testing-sql.ts'

const server = await startSql()
await server.execute('create table orders (id int primary key, note text)')
await server.execute(
  `insert into orders select g, case when g = 2 then null else 'n' || g end from generate_series(1, 50) g`,
)
await server.execute('create table kept (id int primary key)')
await server.admin('analyze orders')
const { open } = await startPages(server)

test('the console says what the policy does before anything runs, then shows the rows', async () => {
  const page = await open('/sql?database=application')
  const editor = page.getByLabel('Statement', { exact: true })
  await page.locator('.cm-editor').waitFor()
  await editor.fill('select id, note from orders order by id')
  await page.getByText('Runs at once').waitFor()
  await editor.press('Control+Enter')
  await page.getByText('50 rows', { exact: false }).waitFor()
  const rows = page.getByRole('grid', { name: 'Rows' })
  await rows.getByText('n1', { exact: true }).waitFor()
  await rows.getByText('NULL', { exact: true }).waitFor()
  await editor.fill('select pg_read_file($$/etc/passwd$$)')
  await page.getByText('Refused', { exact: true }).waitFor()
  await page.locator('.cm-policy', { hasText: 'pg_read_file' }).waitFor()
})

test('the editor suggests tables and columns, and underlines where PostgreSQL found an error', async () => {
  const page = await open('/sql?database=application')
  const editor = page.getByLabel('Statement', { exact: true })
  await page.locator('.cm-editor').waitFor()
  const schema = page.getByRole('region', { name: 'Schema' })
  await schema.getByRole('button', { name: 'Insert orders' }).waitFor()
  await editor.fill('select no')
  await editor.pressSequentially('x from ord')
  const suggestions = page.getByRole('listbox')
  await suggestions.getByRole('option', { name: 'orders' }).first().click()
  await editor.pressSequentially(' where no')
  await suggestions.getByRole('option', { name: 'note' }).first().click()
  await editor.pressSequentially(' is null')
  assert.equal(await editor.textContent(), 'select nox from orders where note is null')
  await page.getByText('Runs at once').waitFor()
  await editor.press('Control+Enter')
  await page.getByText('Column "nox" does not exist.').waitFor()
  await page.locator('.cm-fault', { hasText: 'nox' }).waitFor()
  await page.getByText('At line 1, character 8.').waitFor()

  await editor.fill('')
  const orders = schema.getByTitle('About 50 rows, as PostgreSQL counted them last')
  assert.match((await orders.textContent()) ?? '', /^~50.*\d+ kB$/)
  await schema.getByLabel('Filter tables and columns').fill('note')
  await schema.getByTitle('Primary key').waitFor()
  await schema.getByRole('button', { name: 'Insert note' }).click()
  assert.equal(await editor.textContent(), 'note')
})

test('a plan is a tree whose steps have their share; it is measured where the policy lets it', async () => {
  const page = await open('/sql?database=application')
  const editor = page.getByLabel('Statement', { exact: true })
  await page.locator('.cm-editor').waitFor()
  await editor.fill('select * from orders where id > 7 order by note')
  await page.getByText('Runs at once').waitFor()
  await page.getByRole('button', { name: 'Explain' }).click()
  const plan = page.getByRole('list', { name: 'Plan' })
  await plan.getByText('Sort', { exact: true }).waitFor()
  await plan.getByText('orders', { exact: true }).first().waitFor()
  await page.getByText('Add EXPLAIN to allowed_operations', { exact: false }).waitFor()
  const agent = (await server.call('/api/agents/data-engineer')).json
  const operations = [...agent.config.policy.allowed_operations, 'EXPLAIN']
  const config = { policy: { ...agent.config.policy, allowed_operations: operations } }
  await server.call('/api/agents/data-engineer', {
    method: 'PATCH',
    json: { config, version: agent.version },
  })
  await page.reload()
  await page.locator('.cm-editor').waitFor()
  await editor.fill('select * from orders where id > 7')
  await page.getByText('Runs at once').waitFor()
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.getByRole('button', { name: 'Run and measure' }).click()
  await plan
    .getByText(/43 rows of about \d+/)
    .first()
    .waitFor()
})

test('a result is read with the keyboard, and exported without formulas', async () => {
  const page = await open('/sql?database=application')
  const editor = page.getByLabel('Statement', { exact: true })
  await page.locator('.cm-editor').waitFor()
  await editor.fill(`select 1 as one, '=1+1' as formula, '{"deep": [1, 2]}'::jsonb as tree`)
  await page.getByText('Runs at once').waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Rows' })
  await grid.getByText('=1+1').waitFor()
  await grid.focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'Control+c']) await grid.press(key)
  await page.getByText('Value copied').waitFor()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), '=1+1')
  for (const key of ['ArrowRight', 'Enter']) await grid.press(key)
  const panel = page.getByRole('dialog', { name: 'Value' })
  await panel.getByText('"deep"').waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  const file = await download
  assert.equal(file.suggestedFilename(), 'result.csv')
  const text = readFileSync(await file.path(), 'utf8')
  assert.equal(text, 'one,formula,tree\r\n1,\'=1+1,"{""deep"":[1,2]}"\r\n')
  await page.getByRole('button', { name: 'Export' }).click()
  const second = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download JSON' }).click()
  const json = readFileSync(await (await second).path(), 'utf8')
  assert.deepEqual(JSON.parse(json), [{ one: 1, formula: '=1+1', tree: { deep: [1, 2] } }])
})

test('one’s own statements are searched in the history and put back into the editor', async () => {
  const page = await open('/sql?database=application')
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  await history.getByLabel('Search your statements').fill('order by id')
  await history.getByRole('button', { name: /order by id/ }).click()
  await history.waitFor({ state: 'detached' })
  assert.equal(
    await page.getByLabel('Statement', { exact: true }).textContent(),
    'select id, note from orders order by id',
  )
})

test('on a phone the schema is in a drawer', async () => {
  const page = await open('/sql?database=application', 390)
  await page.getByRole('button', { name: 'Schema' }).click()
  const drawer = page.getByRole('dialog', { name: 'Schema of application' })
  await drawer.getByRole('button', { name: 'Insert orders' }).click()
  await drawer.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Statement', { exact: true }).textContent(), 'orders')
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

test('the page of the audit log stays where the reader is when a statement begins to wait', async () => {
  const page = await open('/sql/audit')
  await page.setViewportSize({ width: 390, height: 300 })
  await page.getByText('drop table orders').first().waitFor()
  const place = await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    return scrollY
  })
  assert.ok(place > 200, String(place))
  const { status, text } = await server.execute('drop table kept')
  assert.equal(status, 202, text)
  await page.getByRole('navigation', { name: 'SQL' }).getByText('1', { exact: true }).waitFor()
  assert.ok((await page.evaluate(() => scrollY)) >= place)
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
  await form.getByText('An agent "data-engineer" already exists.').first().waitFor()
  await form.getByLabel('ID').fill('data-validator')
  await form.getByLabel('Permissions').selectOption('Only reads')
  await form.getByRole('button', { name: 'Add agent' }).click()
  await page.getByRole('heading', { name: 'Data validator', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/agents/data-validator')
  assert.equal(await page.getByLabel('Permissions').inputValue(), 'plan')
  await page.getByRole('main').getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('link', { name: 'Data validator' }).waitFor()
})

test('an agent is deleted on its page after a question; what the server refuses is said there', async () => {
  await server.call('/api/agents', { json: { id: 'short-lived', name: 'Short-lived', model: 'gpt-6-sol' } })
  const page = await open('/agents/short-lived')
  const second = await open('/agents/short-lived')
  for (const each of [page, second]) await each.getByRole('button', { name: 'Delete agent' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click()
  await page.getByText('Agent deleted').waitFor()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Data validator' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Short-lived' }).count(), 0)
  await second.getByRole('dialog').getByRole('button', { name: 'Delete agent' }).click()
  await second.getByRole('dialog').getByText('The agent was not found.').first().waitFor()
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
