import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const server = await startProduct()
const { open } = await startPages(server)

/** Events of the service `web` unless told otherwise; returns their ids. */
async function send(...events: object[]): Promise<string[]> {
  const { status, json } = await server.call('/api/console/events', {
    key: server.key,
    json: events.map((event) => ({
      type: 'deployment',
      severity: 'info',
      service: 'web',
      source: 'deployments',
      message: '',
      ...event,
    })),
  })
  assert.equal(status, 202)
  return json.ids
}

const table = (page: Page) => page.getByRole('table', { name: 'Events' })
const rowsOf = (page: Page) => table(page).locator('[data-row]')
const row = (page: Page, text: string) => table(page).getByRole('row').filter({ hasText: text })
const chips = (page: Page) => page.getByRole('group', { name: 'Active filters' })
const panel = (page: Page) => page.getByRole('dialog', { name: /^Event / })
const isLive = (page: Page) => page.getByRole('switch', { name: 'Live updates' }).getByText('Live').waitFor()

/** Runs the code of the page's example as a user would. */
async function runExample(page: Page, name: string, program: string, flag: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
  const code = await page.getByLabel(`Send an event with ${name}`, { exact: true }).innerText()
  assert.ok(code.includes(`${server.url}/api/console/events`))
  const env = { ...process.env, SIGNALBOX_KEY: server.key }
  await promisify(execFile)(program, [flag, code.replace(/^curl /, 'curl --silent --fail ')], { env })
}

test('without events the page shows how to send them; its examples run, and their events appear', async () => {
  const page = await open('/console/deployments')
  await page.getByRole('heading', { name: 'No events from deployments yet' }).waitFor()
  await runExample(page, 'fetch', process.execPath, '-e')
  await runExample(page, 'CloudEvents', 'bash', '-c')
  await runExample(page, 'curl', 'bash', '-c')
  await row(page, 'Deployed web 1.4.2').waitFor()
  await page.goto(`${server.url}/console`)
  await row(page, 'Payment provider timed out').waitFor()
  await table(page).getByText('Deployed web 1.4.2').nth(1).waitFor()
})

test('new events appear on top; a paused list waits and counts', async () => {
  const page = await open('/console?service=live')
  await isLive(page)
  await send({ service: 'live', title: 'First' })
  await row(page, 'First').waitFor()
  await send({ service: 'live', title: 'Second' }, { service: 'other', title: 'Elsewhere' })
  await row(page, 'Second').waitFor()
  assert.match(
    (await rowsOf(page).first().locator('xpath=ancestor::*[@role="row"]').innerText()) ?? '',
    /Second/,
  )
  await page.keyboard.press('p')
  await page.getByText('Paused').waitFor()
  await send({ service: 'live', title: 'Third' }, { service: 'live', title: 'Fourth' })
  const waiting = page.getByRole('button', { name: '2 new events' })
  await waiting.waitFor()
  assert.equal(await rowsOf(page).count(), 2)
  await waiting.click()
  await row(page, 'Fourth').waitFor()
  assert.equal(await rowsOf(page).count(), 4)
  assert.equal(await row(page, 'Elsewhere').count(), 0)
})

test('seven tabs of one browser all get new events: six connections are all that it opens', async () => {
  const first = await open('/console?service=shared')
  await isLive(first)
  const pages = [first]
  while (pages.length < 7) {
    const page = await first.context().newPage()
    await page.goto(`${server.url}/console?service=shared`)
    await isLive(page)
    pages.push(page)
  }
  await send({ service: 'shared', title: 'To every tab' })
  for (const page of pages) await row(page, 'To every tab').waitFor()
  await first.context().close()
})

test('markup in an event is shown as text', async () => {
  const title = '<b>bold</b><img src=x onerror=alert(1)>'
  await send({ service: 'markup', title, message: '<script>alert(1)</script>' })
  const page = await open('/console?service=markup')
  await row(page, title).waitFor()
  assert.equal(await table(page).locator('b, img, script').count(), 0)
  await rowsOf(page).first().click()
  await panel(page).getByText('<script>alert(1)</script>').waitFor()
})

test('a value is included or excluded by a click; the address holds it and the back button undoes it', async () => {
  await send(
    { source: 'filters', service: 'alpha', title: 'From alpha' },
    { source: 'filters', service: 'beta', title: 'From beta', severity: 'error', type: 'error' },
  )
  const page = await open('/console/filters')
  await row(page, 'From alpha').getByRole('button', { name: 'alpha' }).click()
  await page.waitForURL(/service=alpha/)
  await row(page, 'From beta').waitFor({ state: 'detached' })
  await chips(page).getByRole('button', { name: 'service: alpha', exact: true }).click()
  await page.waitForURL(/service=(!|%21)alpha/)
  await row(page, 'From beta').waitFor()
  assert.equal(await row(page, 'From alpha').count(), 0)
  const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search)
  await row(shared, 'From beta').waitFor()
  assert.equal(await rowsOf(shared).count(), 1)
  await page.goBack()
  await row(page, 'From alpha').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL((url) => url.pathname === '/console' && url.search === '')
})

test('digits choose the severity, and the question mark lists the keys', async () => {
  const page = await open('/console?source=filters')
  await row(page, 'From alpha').waitFor()
  await page.keyboard.press('2')
  await page.waitForURL(/severity=error/)
  await row(page, 'From alpha').waitFor({ state: 'detached' })
  await page.keyboard.press('0')
  await row(page, 'From alpha').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('a search marks what it found, and a new matching event is offered', async () => {
  await send(
    { source: 'words', title: 'Payment timed out', message: 'after 30 seconds' },
    { source: 'words', title: 'Payment accepted' },
  )
  const page = await open('/console?source=words')
  await row(page, 'Payment accepted').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('timed -accepted')
  await page.waitForURL(/q=timed/)
  await row(page, 'Payment accepted').waitFor({ state: 'detached' })
  assert.deepEqual(await table(page).locator('mark').allInnerTexts(), ['timed'])
  await send({ source: 'words', title: 'Refund timed out' })
  await page.getByRole('button', { name: 'Search again: 1 new event' }).click()
  await row(page, 'Refund timed out').waitFor()
})

test('a permalink shows the event among its neighbours, without the filters', async () => {
  const [, id] = await send(
    { service: 'before', title: 'The one before' },
    { service: 'linked', title: 'The linked one', metadata: { version: '1.4.2' } },
    { service: 'after', title: 'The one after' },
  )
  const page = await open('/console?service=linked')
  await row(page, 'The linked one').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`event=${id}`))
  await panel(page).getByText('1.4.2').waitFor()
  await page.keyboard.press('c')
  await page.getByText('Link copied').waitFor()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(link.startsWith(server.url))
  const linked = await open(link.slice(server.url.length))
  await panel(linked).getByRole('heading', { name: 'The linked one' }).waitFor()
  await row(linked, 'The one before').waitFor()
  await row(linked, 'The one after').waitFor()
  await linked.keyboard.press('Escape')
  await linked.getByRole('button', { name: 'Back to live events' }).click()
  await isLive(linked)
  await page.keyboard.press('v')
  await row(page, 'The one after').waitFor()
})

test('a saved view brings back search and filters', async () => {
  const page = await open('/console?severity=error&service=beta')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'Save current view' }).click()
  await page.getByLabel('Name').fill('Errors of beta')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByText('View saved').waitFor()
  const other = await open('/console')
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('button', { name: 'Errors of beta', exact: true }).click()
  await other.waitForURL(/severity=error.*service=beta|service=beta.*severity=error/)
  await row(other, 'From beta').waitFor()
})

test('list, histogram and the button of the time range show the same time; older events are a click away', async () => {
  const created_at = new Date(Date.now() - 2 * 86_400_000).toISOString()
  await send({ type: 'sync', source: 'yearbook', title: 'Two days old', created_at })
  const page = await open('/console/yearbook')
  await page.getByRole('heading', { name: 'No events in the last 24 hours' }).waitFor()
  await page.getByRole('button', { name: 'Last 24 hours' }).waitFor()
  await page.getByRole('region', { name: 'Events over time' }).getByText('Last 24 hours').waitFor()
  await page.getByRole('button', { name: 'Show all time' }).click()
  await row(page, 'Two days old').waitFor()
  assert.equal(new URL(page.url()).search, '?range=all')
  await page.getByRole('button', { name: 'All time', exact: true }).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Events over time' }).count(), 0)
  await page.getByRole('button', { name: 'All time', exact: true }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).click()
  await page.getByRole('region', { name: 'Events over time' }).getByText('Last 7 days').waitFor()
  await row(page, 'Two days old').waitFor()
  await send({ type: 'sync', source: 'yearbook', title: 'Of today' })
  await page.goto(`${new URL(page.url()).origin}/console/yearbook`)
  await row(page, 'Of today').waitFor()
  await page.getByText('No earlier events in this time range').waitFor()
  await page.getByRole('button', { name: 'Show all time' }).click()
  await row(page, 'Two days old').waitFor()
})

test('dragging over the histogram zooms to that time', async () => {
  const page = await open('/console')
  await page.getByRole('region', { name: 'Events over time' }).getByText('Last 24 hours').waitFor()
  const chart = page.getByRole('region', { name: 'Events over time' }).getByRole('img')
  await chart.waitFor()
  const box = await chart.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 10, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 3, box.y + 20, { steps: 4 })
  await page.mouse.up()
  await page.waitForURL(/since=.*until=/)
  await page.getByRole('heading', { name: 'No matching events' }).waitFor()
  await page.getByText('Not live').waitFor()
})

for (const path of ['/console?service=linked', '/console/nowhere']) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    await page
      .getByText(/The linked one|No events from nowhere/)
      .first()
      .waitFor()
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}
