import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startBrowser, visit, type Visit } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const product = await startProduct()
const port = new URL(product.url).port
const browser = await startBrowser()

/** A page of another site, open in the same browser as a local Signalbox. */
const site = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another site</title><body>'),
)
site.listen(0, '127.0.0.1')
await once(site, 'listening')
after(() => {
  site.closeAllConnections()
  site.close()
})
const elsewhere = (host: string): string => `http://${host}:${(site.address() as AddressInfo).port}/`

/** The page in a browser that is the local owner's, as a victim's is. */
async function visitElsewhere(host: string): Promise<Visit> {
  const visited = await visit(browser, product.url)
  await visited.page.goto(elsewhere(host))
  return visited
}

async function keyNames(): Promise<string[]> {
  const { json } = await product.call('/api/v1/keys')
  return json.data.map((key: { name: string }) => key.name)
}

for (const host of ['evil.example', 'localhost', '127.0.0.1']) {
  test(`a page on ${host} with another port can neither read nor change anything by fetch`, async () => {
    const { page } = await visitElsewhere(host)
    const results = await page.evaluate(async (target) => {
      const attempt = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const response = await fetch(target + path, init)
          return `${response.type} ${response.status} ${(await response.text()).slice(0, 40)}`
        } catch {
          return 'failed'
        }
      }
      const body = JSON.stringify({ name: 'planted by fetch' })
      return [
        await attempt('/api/v1/me', {}),
        await attempt('/api/v1/me', { credentials: 'include' }),
        await attempt('/api/v1/keys', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
        await attempt('/api/v1/keys', {
          method: 'POST',
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
          body,
        }),
        await attempt('/api/v1/me', { mode: 'no-cors' }),
      ]
    }, product.url)
    assert.deepEqual(results.slice(0, 3), ['failed', 'failed', 'failed'])
    // What the browser lets through without CORS is refused by the server and cannot be read.
    for (const result of results.slice(3)) assert.match(result, /^(opaque 0 $|failed)/)
    assert.deepEqual(await keyNames(), ['First key'])
  })
}

for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
  test(`a form posted from another site as ${type} changes nothing`, async () => {
    const { page } = await visitElsewhere('evil.example')
    const field = `<input name='{"name":"planted by form","x":"' value='"}'>`
    await page.setContent(
      `<form method="post" enctype="${type}" action="${product.url}/api/v1/keys">${field}</form>`,
    )
    const answered = page.waitForResponse(`${product.url}/api/v1/keys`)
    await page.locator('form').evaluate((form: { submit(): void }) => form.submit())
    assert.equal((await answered).status(), 403)
    assert.deepEqual(await keyNames(), ['First key'])
  })
}

test('a name that is rebound to this machine gets nothing, not even the page', async () => {
  const { page } = await visit(browser, `http://rebound.example:${port}/api/v1/me`)
  assert.match(await page.innerText('body'), /only loopback names such as localhost are accepted/)
  await page.goto(`http://rebound.example:${port}/`)
  assert.match(await page.innerText('body'), /only loopback names such as localhost are accepted/)
  const result = await page.evaluate(
    async () =>
      (
        await fetch('/api/v1/keys', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"name":"planted by rebinding"}',
        })
      ).status,
  )
  assert.equal(result, 403)
  assert.deepEqual(await keyNames(), ['First key'])
})

test('Signalbox cannot be framed by another site', async () => {
  const { page } = await visitElsewhere('evil.example')
  await page.setContent(`<iframe src="${product.url}/" width="600" height="400"></iframe>`)
  await page.waitForTimeout(500)
  const text = await page
    .frames()[1]
    ?.locator('body')
    .innerText()
    .catch(() => '')
  assert.ok(!text?.includes('Signalbox'), text)
})

test('a link from another site to the dashboard works', async () => {
  const { page } = await visitElsewhere('evil.example')
  await page.setContent(`<a href="${product.url}/keys">to my dashboard</a>`)
  await page.click('a')
  await page.waitForSelector('h1')
  assert.match(await page.innerText('h1'), /Keys/)
})
