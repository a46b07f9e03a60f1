import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBrowser, visit, type Visit } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const box = await startGateway()
const browser = await startBrowser()
const visits: Visit[] = []

async function open(path: string, width?: number) {
  const opened = await visit(browser, `${box.url}${path}`, width)
  visits.push(opened)
  await opened.page.waitForSelector('h1')
  return opened.page
}

after(() =>
  assert.deepEqual(
    visits.flatMap(({ complaints }) => complaints),
    [],
    'no page broke a script or the content security policy',
  ),
)

test('a provider key is added in the browser, shows only its end, and is revealed on request', async () => {
  const page = await open('/providers')
  await page.getByRole('button', { name: 'Add key' }).first().click()
  await page
    .getByLabel(/^(API )?key/i)
    .first()
    .fill('sk-ant-planted-in-the-browser-wxyz')
  await page
    .getByRole('button', { name: /^(add|save)( key)?$/i })
    .last()
    .click()
  await page.getByText('wxyz').first().waitFor()
  assert.ok(!(await page.content()).includes('planted-in-the-browser'))
  const { json } = await box.call('/providers', { headers: { accept: 'application/json' } })
  const keys = json.providers.flatMap(
    (provider: { accounts: { keys: { key_suffix: string; id: string }[] }[] }) =>
      provider.accounts.flatMap((account) => account.keys),
  )
  const added = keys.find((key: { key_suffix: string }) => key.key_suffix === 'wxyz')
  const revealed = await box.call(`/providers/key/${added.id}/reveal`)
  assert.deepEqual(revealed.json, { id: added.id, api_key: 'sk-ant-planted-in-the-browser-wxyz' })
  assert.equal(revealed.headers.get('cache-control'), 'no-store')
})

test('the playground streams an answer and shows tokens, times and the request id', async () => {
  const page = await open(`/playground?model=${exampleModels.gemini}`)
  await page.getByRole('textbox', { name: /message/i }).fill('Hello from the browser')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Echo: Hello from the browser').waitFor()
  await page.getByText('First token').waitFor()
  assert.match(await page.innerText('main'), /req_[0-9a-f]+/)
})

test('an error in the playground says what to do', async () => {
  box.fake.script({ provider: 'openai' }, { error: { status: 401 } } as never)
  const page = await open(`/playground?model=${exampleModels.openai}`)
  await page.getByRole('textbox', { name: /message/i }).fill('Hello')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/stored provider key was refused/i)
    .first()
    .waitFor()
})

test('an own provider is added, changed and turned off in the browser', async () => {
  const page = await open('/providers?new=true')
  await page.getByLabel('Name', { exact: true }).fill('House model')
  await page.getByLabel('Base address').fill('https://models.example.com/v1')
  await page.getByLabel('Model names begin with').fill('house/')
  await page.getByRole('button', { name: 'Add provider' }).click()
  const actions = page.getByRole('button', { name: 'Actions for House model' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Change provider' }).click()
  await page.getByLabel('Base address').fill('https://other.example.com/v1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('https://other.example.com/v1').waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await page.getByRole('region', { name: 'House model' }).getByText('Disabled').waitFor()
})

for (const path of ['/providers', '/playground']) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}
