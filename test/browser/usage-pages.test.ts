import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { waitFor } from '../harness/wait.ts'

const server = await startGateway()
const { open } = await startPages(server)
const unheard = 'openrouter/acme/unheard-1'

const ask = (model: string, more: object = {}) =>
  server.openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hello' }], ...more })

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Requests' }).locator('[data-row]')
const panelOf = (page: Page) => page.getByRole('dialog', { name: /^Request req_/ })

/** Dollars as whole billionths of a millionth: what is shown has all its digits, so this is exact. */
function amount(text: string | null): bigint {
  const [whole = '0', fraction = ''] = (text ?? '').replace(/[^\d.]/g, '').split('.')
  return BigInt(whole + fraction.padEnd(15, '0'))
}

test('an empty log says how to begin, and the first request appears automatically', async () => {
  const page = await open('/logs')
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await page.getByText('/v1/chat/completions').first().waitFor()
  await ask(exampleModels.anthropic, { metadata: { team: 'search' } })
  await rowsOf(page).first().waitFor()
  await page.getByRole('table', { name: 'Requests' }).getByText(exampleModels.anthropic).waitFor()
})

test('rows show key, model, status and cost; the list says whether it is live', async () => {
  await ask(exampleModels.openai)
  server.fake.script({ provider: 'gemini' }, { error: { status: 500 } } as never)
  await ask(exampleModels.gemini).catch(() => undefined)
  await ask(unheard)
  const page = await open('/logs')
  await page.getByRole('table', { name: 'Requests' }).getByText('First key').first().waitFor()
  assert.equal(await rowsOf(page).count(), 4)
  const table = page.getByRole('table', { name: 'Requests' })
  const unpriced = table.getByRole('row').filter({ hasText: unheard })
  assert.match(await unpriced.innerText(), /no price/)
  const failed = table.getByRole('row').filter({ hasText: exampleModels.gemini })
  assert.match(await failed.innerText(), /502\s+provider error/)
  await page.getByRole('switch', { name: 'Live' }).click()
  await page.getByText('Paused').waitFor()
})

test('a filter is part of the address, narrows list and summary, and the back button undoes it', async () => {
  const page = await open('/logs')
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Errors' }).click()
  await page.waitForURL(/status=error/)
  // The failed request was among the rows before the filter, too.
  await waitFor('only the failed request', async () => (await rowsOf(page).count()) === 1)
  await page.getByRole('table', { name: 'Requests' }).getByText('502').first().waitFor()
  const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search)
  await rowsOf(shared).first().waitFor()
  assert.equal(await rowsOf(shared).count(), 1)
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('status'))
  await page.getByRole('table', { name: 'Requests' }).getByText(exampleModels.openai).waitFor()
  await page.getByRole('button', { name: 'Model', exact: true }).click()
  await page.getByRole('checkbox', { name: exampleModels.anthropic }).click()
  await page.waitForURL(/model=claude/)
  await page.getByLabel('Summary of these requests').getByText('1', { exact: true }).first().waitFor()
  await page.goto(`${server.url}/logs?model=nothing-of-the-kind`)
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor()
})

test('a record opens by keyboard, and its lines add up to the exact cost', async () => {
  const page = await open(`/logs?model=${exampleModels.anthropic}`)
  await rowsOf(page).first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/request=req_[0-9a-f]{32}/)
  const panel = panelOf(page)
  await panel.getByText('"team"').waitFor()
  const id = new URL(page.url()).searchParams.get('request')
  const { json } = await server.call(`/api/v1/logs/${id}`)
  const costs = (rows: string) => panel.locator(`${rows} td:last-child`).allTextContents()
  const lines = (await costs('tbody tr:not(:has([colspan]))')).map(amount)
  assert.deepEqual((await costs('tfoot tr')).map(amount), [lines.reduce((sum, line) => sum + line, 0n)])
  assert.deepEqual((await costs('tfoot tr')).map(amount), [amount(json.total_cost)])
  assert.ok(amount(json.total_cost) > 0n)
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.search.includes('request='))
})

test('while a record is open new requests wait until they are asked for', async () => {
  const page = await open(`/logs?model=${exampleModels.openai}`)
  await rowsOf(page).first().click()
  await panelOf(page).getByText('Provider key').waitFor()
  await ask(exampleModels.openai)
  const waiting = page.getByRole('button', { name: '1 new request' })
  await waiting.waitFor()
  assert.equal(await rowsOf(page).count(), 1)
  await waiting.click()
  await rowsOf(page).nth(1).waitFor()
  assert.equal(await panelOf(page).count(), 0)
})

test('the export downloads what the filter shows', async () => {
  const page = await open('/logs?status=ok')
  await rowsOf(page).first().waitFor()
  for (const format of ['CSV', 'JSON']) {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ])
    const text = readFileSync(await download.path(), 'utf8')
    if (format === 'JSON') assert.equal((JSON.parse(text) as unknown[]).length, 4)
    else {
      assert.match(text, /^id,/)
      assert.equal(text.trim().split('\n').length, 5)
    }
  }
})

test('a period without any spend has no chart of it', async () => {
  const page = await open(`/usage?model=${unheard}`)
  await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Spend', exact: true }).waitFor({ state: 'detached' })
})

test('a missing price is set, and the next request has a cost', async () => {
  const page = await open(`/logs?model=${unheard}`)
  await rowsOf(page).first().click()
  await panelOf(page).getByRole('button', { name: 'Set price' }).click()
  const dialog = page.getByRole('dialog', { name: `Price of ${unheard}` })
  await dialog.getByRole('button', { name: 'Set price' }).click()
  await dialog.getByText('Enter a price').first().waitFor()
  await dialog.getByLabel('Input', { exact: true }).fill('2.50')
  await dialog.getByLabel('Output', { exact: true }).fill('$10')
  await dialog.getByRole('button', { name: 'Set price' }).click()
  await page.getByText(`Price of ${unheard} set`).waitFor()
  await ask(unheard)
  const { json } = await server.call(`/api/v1/logs?model=${unheard}&limit=1`)
  const [row] = json.data as { prompt_tokens: number; completion_tokens: number; total_cost: string }[]
  assert.ok(row)
  const expected =
    BigInt(row.prompt_tokens) * 2_500_000_000n + BigInt(row.completion_tokens) * 10_000_000_000n
  assert.equal(amount(row.total_cost), expected)
  const prices = await open(`/usage/prices?q=${unheard}`)
  await prices.getByText('custom', { exact: true }).waitFor()
  await prices.getByText('$2.50').waitFor()
})

test('the usage page shows the spend, has a table for its chart, and a bar links to its requests', async () => {
  const page = await open('/usage?range=day')
  await page.locator('.uplot canvas').first().waitFor()
  const { json } = await server.call('/api/v1/logs/summary')
  const spend = page.getByLabel('Headline figures').locator('dd[title]').first()
  assert.equal(amount(await spend.getAttribute('title')), amount(json.total_cost))
  await page.getByRole('button', { name: 'Show as table' }).first().click()
  const hours = page.getByRole('region', { name: 'Spend', exact: true }).locator('tbody tr')
  assert.equal(await hours.count(), 24)
  await page.getByRole('group', { name: 'Period' }).getByRole('button', { name: 'Month' }).click()
  await page.waitForURL(/range=month/)
  await page.getByRole('link', { name: new RegExp(exampleModels.openai) }).click()
  await page.waitForURL(
    (url) => url.pathname === '/logs' && url.searchParams.get('model') === exampleModels.openai,
  )
  await rowsOf(page).first().waitFor()
})

for (const path of ['/logs', '/usage', '/usage/prices']) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    await page.getByText(exampleModels.openai).first().waitFor({ state: 'attached' })
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}
