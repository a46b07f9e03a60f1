import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
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
