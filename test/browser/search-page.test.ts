import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startPages } from '../harness/browser.ts'
import { startGateway } from '../harness/gateway.ts'

const server = await startGateway({ RUNTIME: 'builtin' })
const { open } = await startPages(server)

const query = (page: Page) => page.getByRole('textbox', { name: 'Search everything' })
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

test('an empty index says what will appear, and when', async () => {
  const page = await open('/search')
  await page.getByRole('heading', { name: 'Nothing to search yet' }).waitFor()
  const found = page.getByRole('region', { name: 'What you can search' })
  assert.match(await found.innerText(), /Models\s+none yet[^]*model sync[^]*Requests\s+none yet/)
  await query(page).fill('anything')
  await found.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Nothing to search yet' }).waitFor()
})

test('a search finds a model of the catalog, says why, and opens it', async () => {
  const { status } = await server.call('/providers/aggregator/models/sync', { key: server.key, json: {} })
  assert.equal(status, 200)
  const page = await open('/search')
  await page.getByText('6 documents').waitFor({ timeout: 20_000 })
  // By keyword at once, by meaning once it is embedded: the page updates.
  await query(page).fill('llama')
  await page.waitForURL(/q=llama/)
  await results(page).first().getByText('Meaning and keywords').waitFor({ timeout: 20_000 })
  const [first] = await results(page).allInnerTexts()
  assert.match(first ?? '', /^Meta: Llama[^]*Models[^]*Meaning and keywords[^]*Similarity/)
  assert.match(await results(page).first().locator('mark').first().innerText(), /llama/i)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/playground' && /llama/.test(url.search))
})

test('what has nothing to do with the query is not shown as a result', async () => {
  const page = await open('/search?q=zebra')
  await page.getByRole('heading', { name: 'No results for “zebra”' }).waitFor()
  assert.equal(await results(page).count(), 0)
})

test('query and kinds are part of the address and can be shared', async () => {
  const page = await open('/search?q=reasoning')
  await results(page).first().waitFor()
  await page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: 'Requests' }).click()
  await page.waitForURL(/kinds=request/)
  await page.getByRole('heading', { name: 'No results for “reasoning”' }).waitFor()
  await page.getByRole('button', { name: 'Search all kinds' }).click()
  await results(page).first().waitFor()
  await page.getByRole('group', { name: 'Order' }).getByRole('button', { name: 'By kind' }).click()
  await page.waitForURL(/view=kinds/)
  const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search)
  await shared.getByRole('list', { name: 'Models' }).getByRole('listitem').first().waitFor()
  assert.equal(await query(shared).inputValue(), 'reasoning')
})

test('the kinds show what the query finds of each, and all of it is there', async () => {
  const page = await open('/search?q=llama')
  const kinds = page.getByRole('group', { name: 'Kinds' })
  await kinds.getByRole('button', { name: /^Requests\s*0$/ }).waitFor()
  const models = kinds.getByRole('button', { name: /^Models/ })
  const count = Number(/\d+/.exec(await models.innerText())?.[0])
  await models.click()
  await page.waitForURL(/kinds=model/)
  await results(page)
    .nth(count - 1)
    .waitFor()
  assert.equal(await results(page).count(), count)
})

test('a search is saved, opened by keyboard and deleted; the latest ones are remembered', async () => {
  const page = await open('/search?q=llama&kinds=model')
  await results(page).first().waitFor()
  await page.getByRole('button', { name: 'Save search' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save search' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Small models')
  await dialog.getByRole('button', { name: 'Save search' }).click()
  await page.getByText('Search saved').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  const saved = page.getByRole('region', { name: 'Saved searches' })
  await saved.getByRole('button', { name: 'Small models Models' }).waitFor()
  await page.getByRole('region', { name: 'Recent searches' }).getByText('llama').waitFor()
  await query(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=llama&kinds=model|kinds=model&q=llama/)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Delete saved search Small models' }).click()
  await saved.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Clear recent searches' }).click()
  await page.getByRole('region', { name: 'Recent searches' }).waitFor({ state: 'detached' })
})

test('the palette searches everything for what was typed', async () => {
  const page = await open('/')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or run a command').fill('gemini flash')
  await page.getByRole('option', { name: 'Search everything for “gemini flash”' }).click()
  await page.waitForURL(/\/search\?q=gemini/)
  await page.getByRole('link', { name: 'Google: Gemini 3.8 Flash' }).waitFor()
})

test('a text becomes 768 numbers that are shown and can be copied', async () => {
  const page = await open('/embeddings')
  await page.getByLabel('Text', { exact: true }).fill('A train passes the signal server.')
  await page.getByText('"A train passes the signal server."').waitFor()
  const picture = page.getByRole('img', { name: 'The vector as 768 coloured cells' })
  await picture.waitFor()
  assert.equal(await picture.locator('rect').count(), 768)
  await page.getByLabel('About the vector').getByText('1.0000').waitFor()
  await page.getByRole('button', { name: 'Copy JSON' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = JSON.parse(await page.evaluate('navigator.clipboard.readText()')) as number[]
  const { json } = await server.call('/api/v1/embed', {
    key: server.key,
    json: { text: 'A train passes the signal server.' },
  })
  assert.deepEqual(copied, json.embedding)
})

test('texts are compared, and the same words in a different order are reported', async () => {
  const page = await open('/embeddings?view=compare')
  await page.getByRole('button', { name: 'Remove text C' }).click()
  await page.getByRole('textbox', { name: 'Text A' }).fill('dog bites man')
  await page.getByRole('textbox', { name: 'Text B' }).fill('man bites dog')
  await page.getByText('1.000', { exact: true }).waitFor()
  await page.getByText('the same words in a different order').waitFor()
  await page.getByRole('button', { name: 'Add text' }).click()
  await page.getByText('Enter text in every field').waitFor()
  await page.getByRole('textbox', { name: 'Text C' }).fill('Interest rates were raised by the central bank')
  const table = page.getByRole('table', { name: 'Similarity of each pair of texts' })
  await table.waitFor()
  const cells = (await table.locator('tbody tr').first().locator('td').allInnerTexts()).map((text) =>
    text.trim(),
  )
  assert.deepEqual(cells.slice(0, 2), ['–', '1.00'])
  assert.ok(Number(cells[2]?.replace('−', '-')) < 0.15, `unrelated: ${cells[2]}`)
})

test('the status shows model, queue and index; a rebuild asks first', async () => {
  const page = await open('/embeddings?view=state')
  await page.getByText('Working with the built-in model').waitFor()
  await page.getByText('6 documents in 6 chunks').waitFor()
  await page.getByLabel('Queue and cache').getByText('idle').waitFor()
  const bar = page.getByRole('progressbar', { name: 'Models: indexed' })
  assert.equal(await bar.getAttribute('aria-valuenow'), '100')
  await page.getByRole('button', { name: 'Rebuild index' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rebuild the index?' })
  await dialog.getByRole('button', { name: 'Rebuild index' }).click()
  await page.getByText('Index rebuild started').waitFor()
})

for (const path of [
  '/',
  '/search',
  '/search?q=llama',
  '/embeddings',
  '/embeddings?view=compare',
  '/embeddings?view=state',
]) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    await page.waitForLoadState('networkidle')
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}
