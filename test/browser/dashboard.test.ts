import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowser, visit } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'

const product = await startProduct()
const browser = await startBrowser()
const seen: { path: string; complaints: string[] }[] = []

async function open(path: string, width?: number): Promise<Page> {
  const { page, complaints } = await visit(browser, `${product.url}${path}`, width)
  seen.push({ path, complaints })
  await page.waitForSelector('h1')
  return page
}

after(() =>
  assert.deepEqual(
    seen.filter(({ complaints }) => complaints.length > 0),
    [],
    'no script error and no violation of the content security policy',
  ),
)

test('the first page says what Signalbox is and shows the base URL, the key and a snippet', async () => {
  const page = await open('/')
  const text = await page.innerText('main')
  assert.match(text, /self-hosted LLM gateway and engineering console for teams/)
  assert.ok(text.includes(`${product.url}/v1`), 'the base URL')
  assert.ok(text.includes(product.key), 'the first key')
  await page.getByRole('tab', { name: 'Python' }).click()
  assert.match(await page.innerText('main'), /from openai import OpenAI/)
})

test('the entry of the open page is in sight, also where the navigation is longer than the window', async () => {
  const page = await open('/account')
  const entry = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]')
  await waitFor('the entry in sight', () =>
    entry.evaluate((link) => {
      const { top, bottom } = link.getBoundingClientRect()
      const frame = link.closest('nav')?.getBoundingClientRect()
      return frame !== undefined && top >= frame.top && bottom <= frame.bottom
    }),
  )
})

test('a key is created, shown once, works, and is revoked', async () => {
  const page = await open('/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('made in the browser')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /create/i })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/sb-[A-Za-z0-9_-]{40,}/).waitFor()
  const value = /sb-[A-Za-z0-9_-]{40,}/.exec(await dialog.innerText())?.[0] ?? ''
  assert.equal((await product.call('/api/v1/me', { key: value })).status, 200)
  await page.keyboard.press('Escape')
  assert.ok((await dialog.innerText()).includes(value), 'a value that is shown once survives Escape')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByText('made in the browser').first().waitFor()
  assert.ok(!(await page.content()).includes(value), 'the value is not shown again')
  const row = page.getByRole('row', { name: /made in the browser/ })
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Rotate key' }).click()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await dialog.getByText(/sb-[A-Za-z0-9_-]{40,}/).waitFor()
  const rotated = /sb-[A-Za-z0-9_-]{40,}/.exec(await dialog.innerText())?.[0] ?? ''
  assert.notEqual(rotated, value)
  for (const key of [value, rotated]) assert.equal((await product.call('/api/v1/me', { key })).status, 200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await row.getByText('The old value ends').waitFor()
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: /revoke/i }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: /revoke/i })
    .click()
  await row.getByText('Revoked').waitFor()
  await waitFor(
    'the revoked key to be refused',
    async () => (await product.call('/api/v1/me', { key: value })).status === 401,
  )
})

test('a table is sorted by a click on the head of a column, and turned round by the next', async () => {
  for (const name of ['zebra', 'Aardvark']) await product.call('/api/v1/keys', { json: { name } })
  const page = await open('/keys')
  const names = () => page.locator('tbody tr td:first-child a').allInnerTexts()
  const inOrder = (list: string[]) => list.indexOf('Aardvark') < list.indexOf('zebra')
  await page.getByText('Aardvark').waitFor()
  const head = page.getByRole('columnheader', { name: 'Key' })
  await head.getByRole('button').click()
  assert.equal(await head.getAttribute('aria-sort'), 'ascending')
  assert.equal(inOrder(await names()), true)
  await head.getByRole('button').click()
  assert.equal(await head.getAttribute('aria-sort'), 'descending')
  assert.equal(inOrder(await names()), false)
})

test('the palette opens by keyboard and opens pages', async () => {
  const page = await open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('groups')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/groups/)
  await page.getByRole('heading', { level: 1, name: 'Members and groups' }).waitFor()
})

test('a member is invited with a link and joins', async () => {
  const page = await open('/groups')
  await page
    .getByRole('button', { name: /invite/i })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /invite|create|make/i })
    .last()
    .click()
  await page
    .getByText(/\/join\?token=/)
    .first()
    .waitFor()
  const link =
    /http\S+\/join\?token=[A-Za-z0-9_-]+/.exec(await page.getByRole('dialog').innerText())?.[0] ?? ''
  const { page: guest, complaints } = await visit(browser, link)
  seen.push({ path: '/join', complaints })
  await guest.getByLabel('Name').fill('A guest')
  await guest.getByLabel(/e-?mail/i).fill('guest@example.com')
  await guest
    .getByLabel(/password/i)
    .first()
    .fill('a long enough password')
  await guest.getByRole('button', { name: /join/i }).click()
  await guest.waitForURL(`${product.url}/`)
  const { json } = await product.call('/api/v1/groups')
  assert.equal(json.data[0].members, 2)
})

test('an unknown page is reported, with the navigation', async () => {
  const page = await open('/no-such-page')
  assert.match(await page.innerText('body'), /Page not found/)
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
})

for (const path of ['/', '/keys', '/groups', '/account', '/docs']) {
  test(`${path} fits a phone of 375 px, light and dark`, async () => {
    const page = await open(path, 375)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
      assert.ok(width <= 375, `${width} px wide`)
    }
  })
}

test('where sign-in is required the dashboard asks for it and returns to the page', async () => {
  const strict = await startProduct({ AUTH: 'required' })
  const { page, complaints } = await visit(
    browser,
    `${strict.url}/join?token=${strict.first.ownerToken?.reveal()}`,
  )
  await page.getByLabel('Name').fill('The owner')
  await page.getByLabel(/e-?mail/i).fill('owner@example.com')
  await page
    .getByLabel(/password/i)
    .first()
    .fill('a long enough password')
  await page.getByRole('button', { name: /join|owner|continue/i }).click()
  await page.waitForURL(`${strict.url}/`)
  const { page: later, complaints: others } = await visit(browser, `${strict.url}/keys`)
  await later.waitForURL(/\/sign-in/)
  await later.getByLabel(/e-?mail/i).fill('owner@example.com')
  await later
    .getByLabel(/password/i)
    .first()
    .fill('a long enough password')
  await later.getByRole('button', { name: /^sign in$/i }).click()
  await later.waitForURL(/\/keys/)
  seen.push({ path: '/sign-in', complaints: [...complaints, ...others] })
})

test('a group has one time zone: it is said beside its name, and all times are in it', async () => {
  const page = await open('/groups')
  await page.getByRole('button', { name: 'Actions for Default' }).click()
  await page.getByRole('menuitem', { name: 'Change group' }).click()
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await page.getByRole('button', { name: 'Save group' }).click()
  await page.getByText('owner · Asia/Tokyo').waitFor()
  const created = (await product.call('/api/v1/keys', { method: 'GET' })).json.data[0].created_at as string
  const tokyo = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Keys' }).click()
  await page
    .locator(`time[title="${tokyo.format(new Date(created))}"]`)
    .first()
    .waitFor()
})

test('while the server cannot be reached the page stays, with a banner; it recovers on its own', async () => {
  const page = await open('/keys')
  await page.getByText('made in the browser').first().waitFor()
  await page.route('**/*', (route) => route.abort())
  await page.evaluate(`dispatchEvent(new Event('offline'))`)
  await page.getByText('Can’t reach Signalbox. Retrying…').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Keys' }).waitFor()
  await page.unroute('**/*')
  await page.getByText('Can’t reach Signalbox. Retrying…').waitFor({ state: 'hidden' })
})

test('a page opened while the server cannot be reached keeps the frame and appears when the server is back', async () => {
  const page = await open('/keys')
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Playground' }).click()
  await page.getByText('Can’t reach Signalbox. Retrying…').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Keys' }).waitFor()
  await page.unroute('**/*')
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
})
