import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, visit, type Visit } from '../harness/browser.ts'
import { startGateway } from '../harness/gateway.ts'

const box = await startGateway({ RUNTIME: 'builtin' })
const browser = await startBrowser()
const visits: Visit[] = []

async function open(path: string, width?: number): Promise<Page> {
  const opened = await visit(browser, `${box.url}${path}`, width)
  visits.push(opened)
  await opened.page.waitForSelector('h1')
  return opened.page
}

const query = (page: Page) => page.getByRole('textbox', { name: 'Search everything' })
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

after(() =>
  assert.deepEqual(
    visits.flatMap(({ complaints }) => complaints),
    [],
    'no page broke a script or the content security policy',
  ),
)

test('an empty index says what will be found here, and when', async () => {
  const page = await open('/search')
  await page.getByRole('heading', { name: 'Nothing to find yet' }).waitFor()
  const found = page.getByRole('region', { name: 'What can be found' })
  assert.match(await found.innerText(), /Models\s+none yet[^]*first sync[^]*Requests\s+none yet/)
  await query(page).fill('anything')
  await page.getByRole('heading', { name: 'There is nothing to search yet' }).waitFor()
})

test('a search finds a model of the catalogue, says why, and leads to it', async () => {
  const { status } = await box.call('/providers/aggregator/models/sync', { key: box.key, json: {} })
  assert.equal(status, 200)
  const page = await open('/search')
  await page.getByText('6 documents').waitFor({ timeout: 20_000 })
  // By its words at once, by its meaning when the model has read it: the page follows.
  await query(page).fill('llama')
  await page.waitForURL(/q=llama/)
  await results(page).first().getByText('By meaning and words').waitFor({ timeout: 20_000 })
  const [first] = await results(page).allInnerTexts()
  assert.match(first ?? '', /^Meta: Llama[^]*Models[^]*By meaning and words[^]*Similarity/)
  assert.match(await results(page).first().locator('mark').first().innerText(), /llama/i)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/playground' && /llama/.test(url.search))
})

test('what is only the least far away is not called found', async () => {
  const page = await open('/search?q=zebra')
  await page.getByRole('heading', { name: 'Nothing found for “zebra”' }).waitFor()
  await page.getByRole('button', { name: 'Show the nearest anyway' }).click()
  await results(page).first().getByText('By meaning').waitFor()
})

test('question and kinds stand in the address and survive sharing it', async () => {
  const page = await open('/search?q=reasoning')
  await results(page).first().waitFor()
  await page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: 'Requests' }).click()
  await page.waitForURL(/kinds=request/)
  await page.getByRole('heading', { name: 'Nothing found for “reasoning”' }).waitFor()
  await page.getByRole('button', { name: 'Search everything' }).click()
  await results(page).first().waitFor()
  await page.getByRole('group', { name: 'Order' }).getByRole('button', { name: 'By kind' }).click()
  await page.waitForURL(/view=kinds/)
  const shared = await open(new URL(page.url()).pathname + new URL(page.url()).search)
  await shared.getByRole('list', { name: 'Models' }).getByRole('listitem').first().waitFor()
  assert.equal(await query(shared).inputValue(), 'reasoning')
})

test('the palette searches everything for what was typed', async () => {
  const page = await open('/')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or run a command').fill('gemini flash')
  await page.getByRole('option', { name: 'Search everything for “gemini flash”' }).click()
  await page.waitForURL(/\/search\?q=gemini/)
  await page.getByRole('link', { name: 'Google: Gemini 3.8 Flash' }).waitFor()
})

test('a text becomes 768 numbers that can be seen and copied', async () => {
  const page = await open('/embeddings')
  await page.getByLabel('Text', { exact: true }).fill('A train passes the signal box.')
  await page.getByText('"A train passes the signal box."').waitFor()
  const picture = page.getByRole('img', { name: 'The vector as 768 coloured cells' })
  await picture.waitFor()
  assert.equal(await picture.locator('rect').count(), 768)
  await page.getByLabel('About the vector').getByText('1.0000').waitFor()
  await page.getByRole('button', { name: 'Copy JSON' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = JSON.parse(await page.evaluate('navigator.clipboard.readText()')) as number[]
  const { json } = await box.call('/api/v1/embed', {
    key: box.key,
    json: { text: 'A train passes the signal box.' },
  })
  assert.deepEqual(copied, json.embedding)
})

test('texts are compared, and the same words in another order are called so', async () => {
  const page = await open('/embeddings?view=compare')
  await page.getByRole('button', { name: 'Remove text C' }).click()
  await page.getByRole('textbox', { name: 'Text A' }).fill('dog bites man')
  await page.getByRole('textbox', { name: 'Text B' }).fill('man bites dog')
  await page.getByText('1.000', { exact: true }).waitFor()
  await page.getByText('the same words in another order').waitFor()
  await page.getByRole('button', { name: 'Add a text' }).click()
  await page.getByText('Write something into each box').waitFor()
  await page.getByRole('textbox', { name: 'Text C' }).fill('Interest rates were raised by the central bank')
  const table = page.getByRole('table', { name: 'Similarity of every two texts' })
  await table.waitFor()
  const cells = (await table.locator('tbody tr').first().locator('td').allInnerTexts()).map((text) =>
    text.trim(),
  )
  assert.deepEqual(cells.slice(0, 2), ['–', '1.00'])
  assert.ok(Number(cells[2]?.replace('−', '-')) < 0.15, `unrelated: ${cells[2]}`)
})

test('the state tells model, queue and index; reading again asks first', async () => {
  const page = await open('/embeddings?view=state')
  await page.getByText('Works, with the model that ships').waitFor()
  await page.getByText('6 documents in 6 pieces').waitFor()
  await page.getByLabel('Queue and memory of the model').getByText('at rest').waitFor()
  const bar = page.getByRole('progressbar', { name: 'Models: read by the model' })
  assert.equal(await bar.getAttribute('aria-valuenow'), '100')
  await page.getByRole('button', { name: 'Read everything again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Read everything again?' })
  await dialog.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('Everything is being read again').waitFor()
})

test('the overview says what is done and what is next', async () => {
  const page = await open('/')
  const steps = page.getByRole('region', { name: 'Next steps' })
  await steps.getByRole('link', { name: /Connect a provider\s*5 keys/ }).waitFor()
  await steps.getByRole('link', { name: /Find anything\s*6 documents/ }).click()
  await page.waitForURL(/\/search$/)
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
