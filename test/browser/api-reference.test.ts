import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, visit } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const product = await startProduct()
const browser = await startBrowser()

async function open(width?: number): Promise<{ page: Page; complaints: string[] }> {
  const opened = await visit(browser, `${product.url}/docs`, width)
  await opened.page.getByText('Create a chat completion').first().waitFor()
  return opened
}

test('the API reference loads nothing from elsewhere and obeys the content security policy', async () => {
  const { page, complaints } = await open()
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
  )
  assert.deepEqual([...new Set(addresses)], [product.url])
  assert.deepEqual(complaints, [])
})

test('it opens with the gateway', async () => {
  const { page } = await open()
  const [, shown = ''] = (await page.innerText('main')).split('Client Libraries')
  const paths = shown.match(/\/(?:api\/)?v1\/[a-z_/]+/g) ?? []
  assert.equal(paths[0], '/v1/chat/completions')
})

test('the dashboard leads to it and away from it', async () => {
  const { page } = await open()
  await page.getByRole('link', { name: 'Keys' }).first().click()
  await page.getByRole('heading', { level: 1, name: /keys/i }).waitFor()
  await page.getByRole('link', { name: 'API reference' }).first().click()
  await page.getByText('Create a chat completion').first().waitFor()
})

test('without a session it leads to the sign-in', async () => {
  const strict = await startProduct({ AUTH: 'required' })
  const { page } = await visit(browser, `${strict.url}/docs`)
  await page.waitForURL(/\/sign-in\?/)
})
