import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { createRecord } from '../harness/records.ts'

const server = await startProduct({ UPSTREAM_PRIVATE: '1' })
const { browser, open } = await startPages(server)

const create = (path: string, json: object): Promise<string> => createRecord(server, path, json)

test('a service is added, checked and published; the status page needs no sign-in and shows no data as grey', async () => {
  const page = await open('/services')
  await page.getByRole('heading', { name: 'No services yet' }).waitFor()
  await page.getByRole('button', { name: 'Add service' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('shop')
  await form.getByLabel('Title', { exact: true }).fill('Shop')
  await form.getByLabel('URL to check').fill(`${server.url}/livez`)
  await form.getByLabel('Passes until up').fill('1')
  await form.getByLabel('The URL is in a private network').check()
  await form.getByLabel('Show on the status page').check()
  await form.getByRole('button', { name: 'Add service' }).click()
  await page.getByRole('link', { name: 'Shop' }).click()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Check started').waitFor()
  await page.getByRole('tab', { name: 'Checks' }).click()
  await page.getByRole('table', { name: 'Checks' }).getByText('Passed').first().waitFor()

  await page.goto(`${server.url}/status-page`)
  await page.getByLabel('Title', { exact: true }).fill('Acme status')
  await page.getByLabel('Address', { exact: true }).fill('acme')
  await page.getByLabel('Publish the page').check()
  await page.getByRole('button', { name: 'Save status page' }).click()
  await page.getByText('Status page published').waitFor()

  const stranger = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await stranger.goto(`${server.url}/status/acme`)
  await stranger.getByRole('heading', { name: 'Acme status' }).waitFor()
  await stranger.getByText('All services are up').waitFor()
  const bars = stranger.getByRole('img', { name: /^Shop, last 90 days/ })
  assert.equal(await bars.locator('[data-state=up]').count(), 1)
  assert.equal(await bars.locator('[data-state=none]').count(), 89)
  await stranger.getByText(/^100% uptime in \d+ checked minutes?$/).waitFor()

  await page.getByLabel('Publish the page').uncheck()
  await page.getByRole('button', { name: 'Save status page' }).click()
  await page.getByText('Status page saved').waitFor()
  await stranger.context().close()
  const late = await (await browser.newContext()).newPage()
  await late.goto(`${server.url}/status/acme`)
  await late.getByRole('heading', { name: 'Status page not found' }).waitFor()
  await late.context().close()
})

test('services that are paused are listed after those that are checked', async () => {
  await create('/api/services', { name: 'archive', url: 'https://archive.example.com', is_paused: true })
  const page = await open('/services')
  const rows = page.getByRole('table', { name: 'Services' }).getByRole('row')
  await rows.filter({ hasText: 'archive' }).waitFor()
  assert.match(await rows.nth(1).innerText(), /Shop/)
  assert.match(await rows.last().innerText(), /archive/)
})

test('the command of the empty page reports a deployment, and a filter is part of the address', async () => {
  const page = await open('/deployments')
  const code = await page.getByLabel('Send a deployment: curl', { exact: true }).innerText()
  const { stdout } = await promisify(execFile)('bash', ['-c', `${code} -sS`], {
    env: { ...process.env, SIGNALBOX_KEY: server.key },
  })
  assert.equal((JSON.parse(stdout) as { status: string }).status, 'succeeded')
  await page.reload()
  const table = page.getByRole('table', { name: 'Deployments' })
  await table.getByText('1.4.2').waitFor()
  await page.getByLabel('Status').selectOption('failed')
  await page.waitForURL(/status=failed/)
  await page.getByRole('heading', { name: 'No matching deployments' }).waitFor()
})

test('a ticket is added, moves on the board, and its markup is harmless', async () => {
  const page = await open('/tickets?view=board')
  await page.getByRole('button', { name: 'Add ticket' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title', { exact: true }).fill('Receipts are sent twice')
  await form
    .getByLabel('Description', { exact: true })
    .fill('**Steps** <img src=x onerror=alert(1)><script>alert(1)</script>')
  await form.getByRole('button', { name: 'Add ticket' }).click()
  await page.getByRole('region', { name: 'Open' }).getByText('Receipts are sent twice').waitFor()
  await page.getByRole('button', { name: 'Move Receipts are sent twice' }).click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await page
    .getByRole('region', { name: 'Done' })
    .getByRole('link', { name: 'Receipts are sent twice' })
    .waitFor()
  assert.match(await page.getByRole('heading', { name: 'Done' }).innerText(), /^Done\s*1$/)
  await page.getByRole('link', { name: 'Receipts are sent twice' }).click()
  await page.getByText('Steps').waitFor()
  assert.equal(await page.locator('main script, main [onerror]').count(), 0)
})

test('a devlog is written with a preview, and says whether a person or AI wrote it', async () => {
  await create('/api/devlogs', { title: 'Index on orders', content: '## Why', author_kind: 'ai' })
  const page = await open('/devlogs?new=true')
  const form = page.getByRole('dialog')
  await form.getByLabel('Title', { exact: true }).fill('Retries')
  await form.getByLabel('Content', { exact: true }).fill('# Jitter\n\nIt helps.')
  await form.getByRole('button', { name: 'Preview' }).click()
  await form
    .getByRole('region', { name: 'Preview of content' })
    .getByRole('heading', { name: 'Jitter' })
    .waitFor()
  await form.getByRole('button', { name: 'Save devlog' }).click()
  const list = page.getByRole('list', { name: 'Devlogs' }).getByRole('listitem')
  await list.filter({ hasText: 'Retries' }).getByText('Human').waitFor()
  await list.filter({ hasText: 'Index on orders' }).getByText('AI').waitFor()
  await page.getByRole('button', { name: 'AI', exact: true }).click()
  await page.waitForURL(/author_kind=ai/)
  await list.filter({ hasText: 'Retries' }).waitFor({ state: 'detached' })
})

test('a webhook shows its secret once; its delivery is listed with the result and can be replayed', async () => {
  const page = await open('/webhooks?new=true')
  const form = page.getByRole('dialog')
  await form.getByLabel('Sender').selectOption('generic')
  await form.getByLabel('Name').fill('Build server')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const secret = await page.getByLabel('secret', { exact: true }).innerText()
  const address = await page.getByLabel('Address', { exact: true }).innerText()
  await page.getByRole('button', { name: 'Done' }).click()
  const [body, now] = [
    '{"kind":"ticket","id":"7","title":"From outside","status":"open","changed_at":"2026-11-16T09:00:00Z"}',
    String(Math.floor(Date.now() / 1000)),
  ]
  const signature = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')
  const sent = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-signalbox-timestamp': now,
      'x-signalbox-signature': `sha256=${signature}`,
    },
    body,
  })
  assert.ok(sent.ok, await sent.text())
  await page.reload()
  assert.ok(!(await page.content()).includes(secret), 'the secret is not shown again')
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await deliveries.getByText('Processed').last().waitFor()
  await deliveries.locator('tbody').getByRole('button').first().click()
  const panel = page.getByRole('dialog')
  await panel.getByText('"From outside"').waitFor()
  await panel.getByRole('button', { name: 'Replay delivery' }).click()
  await page.getByText('Delivery replayed').waitFor()
})

/** Two deployments in March 2024, one of them failed; one in the ten days before. */
async function reportDeployments(): Promise<void> {
  const deploy = (day: string, status: string, minutes: number) =>
    create('/api/deployments', {
      service: 'history',
      status,
      started_at: `${day}T10:00:00Z`,
      finished_at: `${day}T10:${String(minutes).padStart(2, '0')}:00Z`,
    })
  await deploy('2024-03-12', 'succeeded', 4)
  await deploy('2024-03-15', 'failed', 8)
  await deploy('2024-03-05', 'succeeded', 2)
}

const figure = (page: Page, group: string, name: string) =>
  page.locator(`dl[aria-label="${group}"] > div`).filter({ hasText: name })

test('analytics with a custom period: figures, change, no data, and the records behind a figure', async () => {
  await reportDeployments()
  const page = await open('/analytics?service=history')
  await page.getByRole('button', { name: 'Custom period' }).click()
  await page.getByLabel('From', { exact: true }).fill('2024-03-11')
  await page.getByLabel('To', { exact: true }).fill('2024-03-20')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/from=2024-03-11.*to=2024-03-20/)
  const deployments = (name: string) => figure(page, 'Deployment figures', name)
  // Two, one before: twice as many. One of two succeeded; 4 and 8 minutes take 6 on average.
  await deployments('Deployments').getByText('2', { exact: true }).waitFor()
  await deployments('Deployments').getByText('+100%').waitFor()
  await deployments('Success rate').getByText('50%').waitFor()
  await deployments('Average build time').getByText('6 min', { exact: true }).waitFor()
  await deployments('Lead time').getByText('no data').waitFor()
  await figure(page, 'DORA metrics', 'Change failure rate').getByText('50%').waitFor()
  await figure(page, 'Health figures', 'Uptime').getByText('no data').waitFor()
  await page.getByRole('button', { name: 'How success rate is calculated' }).hover()
  await page.getByRole('tooltip').getByText('divided by those that ended').waitFor()
  await deployments('Deployments').getByRole('link').click()
  await page.waitForURL(/\/deployments\?.*since=2024-03-11/)
  await page.getByRole('table', { name: 'Deployments' }).getByText('Failed').waitFor()
  assert.equal(await page.getByRole('table', { name: 'Deployments' }).getByText('history').count(), 2)
})

for (const path of [
  '/services',
  '/services/shop',
  '/deployments',
  '/tickets',
  '/tickets?view=board',
  '/devlogs',
  '/skills',
  '/webhooks',
  '/status-page',
  '/analytics?range=30d',
]) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    await page.waitForLoadState('networkidle')
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}

test('an address without a record says so and leads to the list, whether it is an ID or not', async () => {
  const unknown = '5b7f0f7e-0000-4000-8000-000000000000'
  for (const [list, noun] of [
    ['/agents/runs', 'run'],
    ['/agents', 'agent'],
    ['/tickets', 'ticket'],
    ['/learnings', 'learning'],
    ['/transcripts', 'transcript'],
    ['/initiatives', 'initiative'],
    ['/sql/approvals', 'approval'],
    ['/sql/migrations', 'migration'],
  ] as const) {
    const page = await open(`${list}/no-such-id`)
    for (const id of ['no-such-id', unknown]) {
      await page.goto(`${server.url}${list}/${id}`)
      await page.getByRole('heading', { name: new RegExp(`^${noun} not found$`, 'i') }).waitFor()
    }
    await page.getByRole('link', { name: `Show ${noun}s` }).click()
    await page.waitForURL(`${server.url}${list}`)
    await page.context().close()
  }
})

test('the list of tickets begins with what is not finished, and has the rest on request', async () => {
  await create('/api/tickets', { title: 'Prices are rounded twice' })
  await create('/api/tickets', { title: 'Search forgets its filters', status: 'done' })
  const page = await open('/tickets')
  const table = page.getByRole('table', { name: 'Tickets' })
  await table.getByText('Prices are rounded twice').waitFor()
  assert.equal(await table.getByText('Search forgets its filters').count(), 0)
  await page.getByLabel('Status').selectOption({ label: 'All statuses' })
  await table.getByText('Search forgets its filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await table.getByText('Search forgets its filters').waitFor({ state: 'detached' })
})
