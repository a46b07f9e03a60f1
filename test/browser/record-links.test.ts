import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { createRecord } from '../harness/records.ts'

const server = await startProduct()
const { browser, open } = await startPages(server)

const create = (path: string, json: object): Promise<string> => createRecord(server, path, json)

const deployed = (version: string, at: string, more: object = {}): Promise<string> =>
  create('/api/deployments', {
    service: 'shop',
    version,
    status: 'succeeded',
    started_at: `${at}:00Z`,
    finished_at: `${at}:30Z`,
    ...more,
  })

await create('/api/services', { name: 'shop', title: 'Shop', is_public: true })
await create('/api/services', { name: 'mail', title: 'Mail' })
await deployed('1.0', '2024-03-12T10:00')
await deployed('1.1', '2024-03-12T11:00', { status: 'failed' })
await deployed('1.2', '2024-03-13T10:00')
await deployed('1.3', '2024-03-13T12:00', { is_rework: true })
await create('/api/tickets', {
  title: 'Finished in the period',
  status: 'done',
  created_at: '2024-03-01T10:00:00Z',
  completed_at: '2024-03-13T10:00:00Z',
})

const period = '/analytics?from=2024-03-11&to=2024-03-15'
const figure = (page: Page, group: string, name: string) =>
  page.getByLabel(group, { exact: true }).locator('div').filter({ hasText: name })
const versions = (page: Page) => page.getByRole('table', { name: 'Deployments' }).locator('.font-mono')

test('a figure leads to the rows behind it, as many as it says', async () => {
  const page = await open(period)
  // 1.1 failed and 1.2 was followed by rework: two of four.
  await figure(page, 'DORA metrics', 'Change failure rate').getByRole('link', { name: '50%' }).click()
  await page.getByRole('button', { name: 'Remove only failed changes' }).waitFor()
  await page.getByRole('table', { name: 'Deployments' }).getByText('1.2', { exact: true }).waitFor()
  assert.deepEqual(
    (await versions(page).allInnerTexts()).filter((text) => text.startsWith('1.')),
    ['1.2', '1.1'],
  )
  await page.goBack()
  await figure(page, 'Ticket figures', 'Completed').getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('link', { name: 'Finished in the period' }).waitFor()
})

test('a bar leads to the deployments of its day, by a click and from the table', async () => {
  const page = await open(period)
  const section = page.getByRole('region', { name: 'Deployment velocity' })
  const chart = section.getByRole('img', { name: /^Deployments over time/ })
  await chart.locator('canvas').waitFor()
  const box = await chart.boundingBox()
  assert.ok(box)
  // Five days: the second one is 12 March; its lower half succeeded. The axis takes 58 px.
  const x = box.x + 58 + ((box.width - 58) * 1.6) / 5.2
  await page.mouse.move(x, box.y + box.height - 50)
  await page.mouse.click(x, box.y + box.height - 50)
  await page.waitForURL(/\/deployments\?.*ended_since=2024-03-1/)
  await page.getByRole('table', { name: 'Deployments' }).getByText('1.0', { exact: true }).waitFor()
  assert.equal(await page.getByRole('table', { name: 'Deployments' }).getByRole('row').count(), 2)
  await page.goBack()
  await section.getByRole('button', { name: 'Show as table' }).click()
  await section
    .getByRole('row', { name: /13 Mar/ })
    .getByRole('link', { name: '2' })
    .first()
    .click()
  await page.getByRole('table', { name: 'Deployments' }).getByText('1.3', { exact: true }).waitFor()
  assert.equal(await page.getByRole('table', { name: 'Deployments' }).getByRole('row').count(), 3)
})

test('a table is compact, has the columns that the reader wants, goes by the keyboard and becomes a file', async () => {
  const page = await open('/deployments')
  const table = page.getByRole('table', { name: 'Deployments' })
  const heads = () => table.getByRole('columnheader').allInnerTexts()
  await table.getByRole('link', { name: 'shop 1.3' }).focus()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  assert.equal(await table.getByRole('link', { name: 'shop 1.2' }).evaluate(isFocused), true)
  const choose = async (option: string) => {
    await page.getByRole('button', { name: 'Options of the table Deployments' }).click()
    await page.getByRole('menuitem', { name: option }).click()
  }
  const tall = (await table.boundingBox())?.height ?? 0
  await choose('Compact rows')
  assert.ok(((await table.boundingBox())?.height ?? 0) < tall)
  await choose('Commit')
  assert.deepEqual(await heads(), ['Service', 'Status', 'Environment', 'Duration', 'Started', 'Actions'])
  await page.reload()
  await table.getByRole('link', { name: 'shop 1.3' }).waitFor()
  assert.equal((await heads()).includes('Commit'), false)
  const [file] = await Promise.all([page.waitForEvent('download'), choose('Download CSV')])
  assert.equal(file.suggestedFilename(), 'Deployments.csv')
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  assert.equal(lines[0], '\uFEFFService,Status,Environment,Duration,Started')
  assert.equal(lines[3], 'shop 1.1 by Local owner,Failed,production,30000,2024-03-12T11:00:00.000Z')
  await choose('Commit')
})

const isFocused = (element: unknown): boolean =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement

test('an incident is reported in a form, seen among those of all services, edited, closed and deleted', async () => {
  await create('/api/incidents', { service: 'mail', cause: 'Mails are late' })
  const page = await open('/incidents')
  const list = page.getByRole('list', { name: 'Incidents' })
  await list.getByText('Mails are late').waitFor()
  await page.getByRole('button', { name: 'Report incident' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Service').selectOption({ label: 'Shop' })
  await form.getByLabel('What is wrong').fill('Carts are lost')
  await form.getByRole('button', { name: 'Report incident' }).click()
  await list.getByText('Carts are lost').waitFor()
  assert.equal(await list.getByText('Open', { exact: true }).count(), 2)

  await page.getByRole('button', { name: 'Actions for Carts are lost' }).click()
  await page.getByRole('menuitem', { name: 'Edit incident' }).click()
  await form.getByLabel('Closed').fill('2020-01-01T10:00')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await form
    .getByText(/must not be before/)
    .first()
    .waitFor()
  await form.getByLabel('Closed').fill('')
  await form.getByLabel('Note').fill('A cache was full.')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await list.getByText('A cache was full.').waitFor()
  await list.getByRole('listitem').filter({ hasText: 'Carts' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Open' }).click()
  await list.getByText('Carts are lost').waitFor({ state: 'detached' })
  await list.getByText('Mails are late').waitFor()

  await page.goto(`${server.url}/incidents?service=shop`)
  await page.getByRole('button', { name: 'Actions for Carts are lost' }).click()
  await page.getByRole('menuitem', { name: 'Delete incident' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete incident' }).click()
  await page.getByRole('heading', { name: 'No matching incidents' }).waitFor()
})

test('the status page fits a phone and shows the state and the bars of a public service', async () => {
  const made = await server.call('/api/status-page', {
    method: 'PUT',
    json: { slug: 'shop', title: 'Status of the shop', description: 'What we run.', is_enabled: true },
  })
  assert.equal(made.status, 200, made.text)
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true })
  const page = await context.newPage()
  await page.goto(`${server.url}/status/shop`)
  await page.getByRole('heading', { name: 'Status of the shop' }).waitFor()
  // Of 90 days only half fit.
  await page.getByRole('img', { name: /^Shop, last 45 days/ }).waitFor()
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${width} px wide`)
  assert.equal(await page.getByText('Mail').count(), 0)
  await context.close()
})

test('/incidents fits a phone of 375 px', async () => {
  const page = await open('/incidents', 375)
  await page.getByText('Mails are late').waitFor()
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 375, `${width} px wide`)
})
