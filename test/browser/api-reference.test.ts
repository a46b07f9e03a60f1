import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowser, visit } from '../harness/browser.ts'
import { ownerTokenOf } from '../harness/owner.ts'
import { startProduct } from '../harness/product.ts'

const product = await startProduct()
const browser = await startBrowser()

const { page, complaints } = await visit(browser, `${product.url}/docs`)
await page.getByText('Create a chat completion').first().waitFor()

test('the API reference loads nothing from elsewhere and obeys the content security policy', async () => {
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
  )
  assert.deepEqual([...new Set(addresses)], [product.url])
  assert.deepEqual(complaints, [])
})

test('it opens with the gateway', async () => {
  const [, shown = ''] = (await page.innerText('main')).split('Client Libraries')
  const paths = shown.match(/\/(?:api\/)?v1\/[a-z_/]+/g) ?? []
  assert.equal(paths[0], '/v1/chat/completions')
})

test('its contents are on the left and lead to a route', async () => {
  assert.equal(await page.getByRole('main').count(), 1)
  const entry = page.getByRole('link', { name: /Create a message/ }).first()
  const heading = page.getByRole('heading', { name: 'Create a message' })
  await entry.click()
  await heading.waitFor()
  await page.waitForURL(/#.*messages/)
  const [left, right] = [await entry.boundingBox(), await heading.boundingBox()]
  assert.ok(left && right && left.x + left.width < right.x)
})

test('a route of the gateway has a call of this server for each client language', async () => {
  const calls = [
    ['curl', `curl ${product.url}/v1/chat/completions`],
    ['Python', `base_url="${product.url}/v1"`],
    ['TypeScript', `baseURL: '${product.url}/v1'`],
  ] as const
  let shown = 'curl'
  for (const [language, call] of calls) {
    if (language !== shown) {
      await page.getByRole('button', { name: shown, exact: true }).first().click()
      await page.getByRole('option', { name: language, exact: true }).first().click()
      shown = language
    }
    await page.locator('code', { hasText: call }).first().waitFor()
  }
})

test('what it says of credentials holds: an API key, the owner token of the machine, and nothing else', async () => {
  const status = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(product.url + path, { headers })).status
  const [key, owner] = [
    { authorization: `Bearer ${product.key}` },
    { 'x-owner-token': ownerTokenOf(product.url) ?? '' },
  ]
  const { info } = (await product.call('/openapi.json')).json as { info: { description: string } }
  assert.match(info.description, /`Authorization: Bearer sb-…`.*`X-Owner-Token`.*401.*API keys only/s)
  assert.deepEqual(
    await Promise.all([key, owner, {}].map((each) => status('/api/v1/keys', each))),
    [200, 200, 401],
  )
  assert.deepEqual(
    await Promise.all([key, owner, {}].map((each) => status('/v1/models', each))),
    [200, 401, 401],
  )
})

test('the dashboard leads to it and away from it', async () => {
  await page.getByRole('link', { name: 'Keys' }).first().click()
  await page.getByRole('heading', { level: 1, name: /keys/i }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('API reference')
  await page.keyboard.press('Enter')
  await page.getByText('Create a chat completion').first().waitFor()
})

test('without a session it leads to the sign-in', async () => {
  const strict = await startProduct({ AUTH: 'required' })
  const { page: signIn } = await visit(browser, `${strict.url}/docs`)
  await signIn.waitForURL(/\/sign-in\?/)
})
