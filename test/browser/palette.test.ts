import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { waitFor } from '../harness/wait.ts'

const server = await startGateway()
await server.openai.chat.completions.create({
  model: exampleModels.openai,
  messages: [{ role: 'user', content: 'Hello' }],
})
await server.call('/api/v1/keys', { json: { name: 'Nightly import' } })
await server.call('/api/tickets', { json: { title: 'Invoices are rounded twice' } })
await server.call('/api/initiatives', { json: { title: 'Faster invoices', description: 'Less waiting.' } })
const { open } = await startPages(server)

const requestId = async (): Promise<string> =>
  (await server.call('/api/v1/logs?limit=1')).json.data[0].request_id as string

async function look(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or run a command').fill(text)
}

test('the palette finds a key, a model and a request, and opens them', async () => {
  const page = await open('/')
  await look(page, 'nightly')
  await page.getByRole('option', { name: 'Nightly import Key' }).click()
  await page.waitForURL(/\/keys\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1, name: 'Nightly import' }).waitFor()
  await look(page, exampleModels.anthropic)
  await page.getByRole('option', { name: `${exampleModels.anthropic} Model` }).click()
  await page.waitForURL(/\/playground\?model=/)
  const id = await requestId()
  await look(page, id)
  await page.getByRole('option', { name: `${id} Request` }).click()
  await page.getByRole('dialog', { name: `Request ${id}` }).waitFor()
  await page.keyboard.press('Escape')
  await look(page, 'nothing-is-called-so')
  await page.getByRole('option', { name: /Search everything/ }).waitFor()
  assert.equal(await page.getByText('Found', { exact: true }).count(), 0)
})

test('the palette finds initiatives and tickets by their titles', async () => {
  await waitFor('both in the index', async () => {
    const { json } = await server.call('/api/v1/search', {
      json: { query: 'invoices', kinds: ['ticket', 'initiative'] },
    })
    return json.results?.length === 2
  })
  const page = await open('/')
  await look(page, 'invoices')
  await page.getByRole('option', { name: 'Faster invoices Initiative' }).waitFor()
  await page.getByRole('option', { name: 'Invoices are rounded twice Ticket' }).click()
  await page.waitForURL(/\/tickets\//)
})

test('the question mark lists the shortcuts of the page and of every page, but not while one types', async () => {
  const page = await open('/keys')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Search or run a command').waitFor()
  assert.equal(await sheet.getByText('Next or previous request').count(), 0)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.goto(`${server.url}/logs`)
  await page.getByRole('table', { name: 'Requests' }).waitFor()
  await page.keyboard.press('?')
  await sheet.getByText('Next or previous request').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('?')
  assert.equal(await sheet.count(), 0)
})

test('a link opens its group; the address follows the group that is chosen', async () => {
  const { json: second } = await server.call('/api/v1/groups', { json: { name: 'Second' } })
  const page = await open(`/keys?q=nightly&group_id=${second.id}`)
  const selector = page.getByRole('button', { name: /^Group:/ })
  await page.getByRole('button', { name: /Group: ?Second/ }).waitFor()
  assert.equal(await page.getByText('Nightly import').count(), 0)
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/logs' && url.searchParams.get('group_id') === second.id)
  await selector.click()
  await page.getByRole('menuitem', { name: 'Default' }).click()
  await page.waitForURL((url) => url.pathname === '/logs' && url.searchParams.get('group_id') !== second.id)
  await page.getByRole('table', { name: 'Requests' }).waitFor()
  const href = await page.getByRole('link', { name: 'Keys', exact: true }).getAttribute('href')
  assert.match(href ?? '', /^\/keys\?group_id=[0-9a-f-]{36}$/)
  await page.goBack()
  await page.getByRole('button', { name: /Group: ?Second/ }).waitFor()
  await page.goto(`${server.url}/keys?group_id=0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f`)
  await page.getByText('Group not found').waitFor()
  await page.getByText('Nightly import').waitFor()
})

test('every page is in the palette, and commands ask what they are about before they open it', async () => {
  const page = await open('/logs')
  await page.keyboard.press('Control+k')
  const pages = page.getByRole('group', { name: 'Pages' }).getByRole('option')
  await pages.first().waitFor()
  assert.deepEqual(await pages.allInnerTexts(), [
    ...['Overview', 'Providers', 'Keys', 'Limits', 'Playground', 'Routes', 'Model prices', 'Embeddings'],
    ...['API reference', 'Logs', 'Usage', 'Services', 'Incidents', 'Console', 'Alerts', 'Analytics'],
    ...['Tickets', 'Deployments', 'Devlogs', 'Learnings', 'Skills', 'Initiatives', 'Agents', 'Runs'],
    ...['Transcripts', 'Watchers', 'SQL', 'Approvals', 'Databases', 'Migrations', 'Rules', 'Audit log'],
    ...['Search', 'Members', 'Settings', 'Account', 'Webhooks', 'Status page', 'Notifications'],
  ])
  await page.getByPlaceholder('Search or run a command').fill('start stand')
  await page.getByRole('option', { name: 'Start stand-up…' }).click()
  await page.getByRole('option', { name: 'Faster invoices Initiative' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByPlaceholder('Search or run a command').fill('answer run')
  await page.getByRole('option', { name: 'Answer run…' }).click()
  await page.getByText('No run waits for a person.').waitFor()
  await page.keyboard.press('Backspace')
  await page.getByPlaceholder('Search or run a command').fill('revoke')
  await page.keyboard.press('Enter')
  await page.getByPlaceholder('Key to revoke').fill('nightly')
  await page.getByRole('option', { name: /^Nightly import/ }).click()
  await page.getByRole('heading', { name: 'Revoke “Nightly import”?' }).waitFor()
})

test('a viewer finds the commands and pages of a viewer, and nothing else', async () => {
  const me = (await server.call('/api/v1/me')).json
  const invited = await server.call(`/api/v1/groups/${me.groups[0].id}/invitations`, {
    json: { role: 'viewer' },
  })
  const token = new URL(invited.json.url as string).searchParams.get('token') ?? ''
  const page = await (await startBrowser()).newPage()
  const email = 'viewer@example.com'
  await page.request.post(`${server.url}/api/auth/invitation/accept`, {
    data: { token, name: 'Viewer', email, password: 'a long enough password' },
    headers: { origin: server.url },
  })
  await page.goto(`${server.url}/logs`)
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  assert.equal(await navigation.getByRole('link', { name: 'Approvals' }).count(), 0)
  await page.keyboard.press('Control+k')
  const commands = page.getByRole('group', { name: 'Commands' }).getByRole('option')
  await page.getByRole('option', { name: 'Show failed requests' }).waitFor()
  const names = await commands.allInnerTexts()
  for (const name of [
    'Add provider key',
    'Create route',
    'Start stand-up…',
    'Ask agent…',
    'Decide about statement…',
  ])
    assert.ok(!names.includes(name), name)
  await page.context().close()
})

test('a page is pinned and stays pinned; what is behind More opens; sections fold', async () => {
  const page = await open('/logs')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  assert.equal(await navigation.getByRole('link', { name: 'Deployments' }).count(), 0)
  await navigation.getByRole('button', { name: 'More pages of Work' }).click()
  await navigation.getByRole('link', { name: 'Deployments' }).waitFor()
  await navigation.getByRole('button', { name: 'Pin Deployments' }).click()
  await page.reload()
  await navigation.getByRole('button', { name: 'Pinned' }).waitFor()
  assert.equal(await navigation.getByRole('link', { name: 'Deployments' }).count(), 1)
  await navigation.getByRole('button', { name: 'Unpin Deployments' }).click()
  await navigation.getByRole('button', { name: 'Pinned' }).waitFor({ state: 'detached' })
  await navigation.getByRole('button', { name: 'Gateway', exact: true }).click()
  assert.equal(await navigation.getByRole('link', { name: 'Keys' }).count(), 0)
})

test('on the phone the navigation is a drawer that keeps the focus, and gives it back', async () => {
  const page = await open('/logs', 390)
  const button = page.getByRole('button', { name: 'Open navigation' })
  await button.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Navigation' })
  await drawer.getByRole('link', { name: 'Members' }).waitFor()
  for (let step = 0; step < 60; step++) await page.keyboard.press('Tab')
  assert.ok(await drawer.evaluate((element) => element.matches(':focus-within')), 'Tab stays inside')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  assert.ok(await button.evaluate((element) => element.matches(':focus')), 'the focus is back')
  await page.keyboard.press('Enter')
  await drawer.getByRole('link', { name: 'Logs' }).click()
  await drawer.waitFor({ state: 'detached' })
})
