import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages, visit } from '#test/browser'
import { startExternalServer } from '#test/external-server'
import { personWith } from '#test/people'
import { startSql } from '../../src/sql/testing-sql.ts'

const external = await startExternalServer()
await external.ask('postgres', `create role dba login createrole password 'pw-dba'`)
for (const name of ['shop', 'depot']) await external.ask('postgres', `create database ${name} owner dba`)
const urlOf = (database: string) => external.urlOf('dba', 'pw-dba', database)
for (const name of ['shop', 'depot'])
  await external.ask(
    urlOf(name),
    'create table goods (id int primary key, name text); insert into goods values (1, $$Chair$$)',
  )
const server = await startSql()
const { open, browser } = await startPages(server)

test('a database of one’s own is added, tested, set up, allowed, queried and removed', async () => {
  const page = await open('/sql')
  await page.getByRole('link', { name: 'Databases' }).click()
  await page.getByRole('region', { name: 'application' }).getByText('Set up', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Add database' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Address', { exact: true }).fill('mysql://somebody@example.com/shop')
  await form.getByRole('button', { name: 'Add database' }).click()
  await form.getByText('must look like postgresql://', { exact: false }).first().waitFor()
  await form.getByLabel('Address', { exact: true }).fill(urlOf('shop'))
  assert.equal(await form.getByLabel('Name').inputValue(), 'shop')
  await form.getByLabel('Environment').selectOption('Staging')
  await form.getByRole('button', { name: 'Add database' }).click()

  // Its login may create roles, so it is not used as it is: the page says so, and what comes next.
  const card = page.getByRole('region', { name: 'shop' })
  await card.getByText('Not set up', { exact: true }).waitFor()
  await card.getByText('Staging').waitFor()
  await card.getByText(`127.0.0.1:${external.port}/shop, login dba`).waitFor()
  await card.getByText('its address logs in as allowed to create roles', { exact: false }).waitFor()
  await card.getByRole('heading', { name: 'Next steps' }).waitFor()
  await card.getByRole('button', { name: 'Test shop now' }).click()
  await page.getByText('shop does not work').waitFor()

  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Administrator’s address').fill(external.urlOf('dba', 'wrong', 'shop'))
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await dialog.getByText('was not set up, and nothing was changed', { exact: false }).waitFor()
  await dialog.getByLabel('Administrator’s address').fill(urlOf('shop'))
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await card.getByText('Set up', { exact: true }).waitFor()
  await card.getByText('Undo works').waitFor()

  await card.getByRole('button', { name: 'Allow shop for' }).click()
  await card.getByRole('heading', { name: 'Next steps' }).waitFor({ state: 'detached' })
  assert.equal(
    await card.getByRole('link', { name: 'Ask Data engineer' }).getAttribute('href'),
    '/agents/data-engineer',
  )
  await card.getByRole('link', { name: 'Query shop' }).click()
  const editor = page.getByLabel('Statement', { exact: true })
  await page.locator('.cm-editor').waitFor()
  await page.getByRole('button', { name: 'Insert goods' }).waitFor()
  await editor.fill('select name from goods')
  await page.getByText('Runs at once').waitFor()
  await editor.press('Control+Enter')
  await page.getByRole('grid', { name: 'Rows' }).getByText('Chair').waitFor()

  await page.getByRole('link', { name: 'Databases' }).click()
  await card.getByRole('button', { name: 'Actions for shop' }).click()
  await page.getByRole('menuitem', { name: 'Edit database' }).click()
  await page.getByLabel('Environment').selectOption('Production')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await card.getByText('Production').waitFor()
  await card.getByRole('button', { name: 'Actions for shop' }).click()
  await page.getByRole('menuitem', { name: 'Remove database' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove database' }).click()
  await card.waitFor({ state: 'detached' })
  const { json } = await server.call('/api/v1/sql/databases')
  assert.deepEqual(
    json.data.map(({ name }: { name: string }) => name),
    ['status', 'calendar', 'application'],
  )
})

test('the script for a DBA is copied, and counts once it has been run', async () => {
  const added = await server.call('/api/v1/sql/databases', { json: { name: 'depot', url: urlOf('depot') } })
  assert.equal(added.status, 201, added.text)
  const page = await open('/sql/databases')
  const card = page.getByRole('region', { name: 'depot' })
  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Script for a DBA' }).click()
  await dialog.getByRole('button', { name: 'Copy script' }).click()
  const script = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.match(script, /SCRAM-SHA-256/)
  assert.doesNotMatch(script, /pw-dba/)
  await dialog.getByRole('button', { name: 'Check whether it was run' }).click()
  await dialog.getByText('The roles cannot log in yet').waitFor()
  await external.ask(urlOf('depot'), script)
  await dialog.getByRole('button', { name: 'Check whether it was run' }).click()
  await card.getByText('Set up', { exact: true }).waitFor()
})

test('a member sees what works in a database, without its address and without buttons', async () => {
  const member = await personWith(server, 'member')
  const { json } = await member('/api/v1/sql/databases')
  assert.equal(json.data.find(({ name }: { name: string }) => name === 'depot')?.host, null)
  const { page } = await visit(browser, `${server.url}/sql/databases`)
  // The list as the member gets it: the pages of this test are opened by the local owner.
  await page.route('**/api/v1/me', async (route) => {
    const response = await route.fetch()
    const me = await response.json()
    const groups = me.groups.map((group: object) => ({ ...group, role: 'member' }))
    await route.fulfill({ response, json: { ...me, groups } })
  })
  await page.route('**/api/v1/sql/databases', (route) => route.fulfill({ json }))
  await page.reload()
  const card = page.getByRole('region', { name: 'depot' })
  await card.getByText('Read works').waitFor()
  await page.getByText('Admins and owners add and change databases.').waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Test|Actions for|Add database)/ }).count(), 0)
})
