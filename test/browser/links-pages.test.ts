import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { make, setPrice, tellStory } from '../../src/links/testing-story.ts'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const it = await startGateway()
await setPrice(it)
const story = await tellStory(it)
const { browser, open } = await startPages(it)

test('why a deployment happened is a chain from it to the decision, with the evidence of each step', async () => {
  const page = await open(`/deployments/${story.deployment}`)
  const chain = page.getByRole('list', { name: 'Why' })
  for (const title of ['Round totals to the cent', 'Totals are off by one cent', 'Round once, at the end'])
    await chain.getByText(title, { exact: false }).first().waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
})

test('a ticket shows what belongs to it and its cost, and a person adds and removes a link', async () => {
  const page = await open(`/tickets/${story.ticket}`, 390)
  await page.getByRole('heading', { name: 'Linked' }).waitFor()
  await page.getByText('Round totals to the cent', { exact: false }).first().waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${width} px wide`)
  await page.getByRole('button', { name: 'Add link' }).click()
  await page.getByRole('dialog').waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
})

async function fits(page: Page): Promise<void> {
  const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
  assert.ok(width <= 390, `${page.url()} is ${width} px wide`)
}

/** From a list to the page of a thing, and back. */
async function visitThing(list: string, name: string, seen: string[], checks = false): Promise<void> {
  const page = await open(list)
  await page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  for (const text of seen) await page.getByRole('main').getByText(text).first().waitFor()
  if (checks) assert.deepEqual(await violationsInBothThemes(page), [])
  await page.setViewportSize({ width: 390, height: 800 })
  await fits(page)
  await page.goBack()
  await page.getByRole('main').getByRole('link', { name, exact: true }).first().waitFor()
}

test('a deployment and an incident are opened from their lists, with what led to them and what followed', async () => {
  await visitThing('/deployments', 'checkout 1.4.0', [
    'Deployment succeeded',
    'Round totals to the cent',
    'Checkout: Receipts fail',
    'Cost of the pull request',
  ])
  await visitThing('/incidents', 'Receipts fail', ['Incident opened', 'checkout 1.4.0 to production'])
  const page = await open(`/deployments/${story.deployment}`)
  await page
    .getByRole('list', { name: 'Timeline' })
    .getByRole('link', { name: /Receipts fail/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Receipts fail' }).waitFor()
  await page.goto(`${it.url}/incidents/${story.deployment}`)
  await page.getByRole('heading', { name: 'Incident not found' }).waitFor()
})

test('an API key, its person, its model and its route show the same spend, and each leads to the others', async () => {
  const name = 'long-name-'.padEnd(100, 'abcdefghij')
  const made = (await it.call('/api/v1/keys', { json: { name } })).json
  await make(it, '/api/v1/routes', { name: 'fast', targets: [{ model: exampleModels.openai }] })
  it.fake.script('openai', { text: 'ok', usage: { input: 2_000_000, output: 1_000_000 } })
  const answer = await it.call('/v1/chat/completions', {
    key: made.key,
    json: { model: 'fast', messages: [{ role: 'user', content: 'x' }] },
    headers: { 'x-signalbox-session': story.work.key },
  })
  assert.equal(answer.status, 200, answer.text)
  // Two million tokens read at one dollar a million, one million written at two.
  const spend = '$4.00'
  const session = /Fix https:.*issues\/12/
  await visitThing('/keys', name, [spend, 'Key created'], true)
  const page = await open(`/keys/${made.id}`)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: session }).waitFor()
  await main.getByRole('link', { name: 'Local owner' }).click()
  await page.getByRole('heading', { level: 1, name: 'Local owner' }).waitFor()
  await page.getByLabel('The last 30 days').getByText(spend).waitFor()
  await main.getByRole('link', { name, exact: true }).first().waitFor()
  await main
    .getByRole('table', { name: 'Recent requests' })
    .getByRole('link', { name: exampleModels.openai })
    .click()
  await page.getByRole('heading', { level: 1, name: exampleModels.openai }).waitFor()
  await main.getByText('$1.00 in, $2.00 out per 1M tokens').first().waitFor()
  await main.getByRole('link', { name: 'fast', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'fast' }).waitFor()
  await page.getByLabel('The last 30 days').getByText(spend).waitFor()
  await main.getByRole('table', { name: 'Recent requests' }).getByText('just now').click()
  await page.waitForURL(/\/logs\?.*route=fast/)
  await page.getByRole('dialog', { name: /^Request/ }).waitFor()
  await visitThing('/routes', 'fast', ['Route created', 'Targets'])
  await visitThing('/groups', 'Local owner', [spend, 'Joined the group'])
  await visitThing('/usage/prices', exampleModels.openai, ['Recent sessions'])
})

test('a key and a route without requests say so, and nothing else is empty', async () => {
  const made = (await it.call('/api/v1/keys', { json: { name: 'Never used' } })).json
  await make(it, '/api/v1/routes', { name: 'idle', targets: [{ model: exampleModels.openai }] })
  const page = await open(`/keys/${made.id}`, 390)
  await page.getByRole('heading', { name: 'No requests with this key' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Recent requests' }).count(), 0)
  await fits(page)
  await page.goto(`${it.url}/routes/idle`)
  await page.getByRole('heading', { name: 'No requests to this route' }).waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])
})

test('an address of something that is not there says so and leads to the others', async () => {
  const page = await open('/')
  for (const [address, noun, others] of [
    ['/keys/none', 'Key', '/keys'],
    ['/people/none', 'Member', '/groups'],
    ['/routes/none', 'Route', '/routes'],
    ['/models/none/such', 'Model', '/usage/prices'],
    ['/providers/keys/none', 'Provider key', '/providers'],
    ['/services/none', 'Service', '/services'],
  ] as const) {
    await page.goto(`${it.url}${address}`)
    await page.getByRole('heading', { name: `${noun} not found` }).waitFor()
    const link = page.getByRole('link', { name: /^Show / })
    assert.equal(await link.getAttribute('href'), others)
  }
})

async function openAsViewer(): Promise<Page> {
  const invitation = await make(it, `/api/v1/groups/${it.first.groupId}/invitations`, { role: 'viewer' })
  const { url } = invitation as unknown as { url: string }
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const joined = await context.request.post(`${it.url}/api/auth/invitation/accept`, {
    data: {
      token: new URL(url).searchParams.get('token'),
      ...{ name: 'Reader', email: 'reader@example.com', password: 'a long enough password' },
    },
    headers: { origin: it.url },
  })
  assert.equal(joined.status(), 200)
  return context.newPage()
}

test('a viewer reads the pages of things and finds nothing there to change', async () => {
  const key = (await it.call('/api/v1/keys')).json.data[0]
  const page = await openAsViewer()
  for (const [path, shown] of [
    [`/deployments/${story.deployment}`, 'checkout 1.4.0'],
    [`/incidents/${story.incident}`, 'Receipts fail'],
    [`/keys/${key.id}`, key.name],
    [`/models/${exampleModels.openai}`, exampleModels.openai],
  ] as const) {
    await page.goto(`${it.url}${path}`)
    await page.getByRole('heading', { level: 1, name: shown }).waitFor()
    await page.getByRole('list', { name: 'Timeline' }).waitFor()
    for (const name of [/^Edit/, /^Close/, /^Rotate/, /^Revoke/, /^Set price/, /^Add link/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, `${path} ${name}`)
  }
})
