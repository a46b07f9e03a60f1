import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFakeProvider } from '../fake-provider/index.ts'
import { startBrowser, visit } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'
import { waitFor } from '../harness/wait.ts'

const fake = await startFakeProvider()
after(() => fake.close())
const product = await startProduct({ ...fake.baseUrls })
const browser = await startBrowser()
const { page, complaints } = await visit(browser, `${product.url}/`)
page.setDefaultTimeout(10_000)
after(() =>
  assert.deepEqual(complaints, [], 'no script error and no violation of the content security policy'),
)

const ask = () =>
  product.call('/v1/chat/completions', {
    key: product.key,
    json: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] },
  })
const step = (name: RegExp) => page.getByRole('heading', { level: 2, name })

async function pasteKey(value: string): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(value)
  await page.getByLabel('Provider').selectOption({ label: 'OpenAI' })
  await page.getByRole('button', { name: 'Add key' }).click()
}

test('the first step is a provider key, which is tested: a wrong one is not a step done', async () => {
  await page.getByText('Waiting for the first request').waitFor()
  await pasteKey(' sk-bad-0123456789 ')
  await page.getByText('OpenAI key added: key refused').waitFor()
  await page.getByText('Last request failed').waitFor()
  assert.equal(await step(/Add a provider key \(done\)/).count(), 0)
  await pasteKey('sk-good-0123456789')
  await page.getByText('OpenAI key added: key works').waitFor()
})

test('the step is done when the key that requests use works', async () => {
  // The older key is still the one in use.
  const { providers } = (await product.call('/providers', { headers: { accept: 'application/json' } })).json
  const keys = providers.flatMap((provider: { accounts: { keys: { id: string; key_suffix: string }[] }[] }) =>
    provider.accounts.flatMap((account) => account.keys),
  )
  await product.call(`/providers/key/${keys[0].id}/delete`, {
    method: 'POST',
    headers: { accept: 'application/json' },
  })
  await step(/Add a provider key \(done\)/).waitFor()
})

test('a request that fails is shown with its reason, and no step turns green by it', async () => {
  fake.script({ provider: 'openai', endpoint: 'chat' }, { error: { status: 400, message: 'no such luck' } })
  assert.equal((await ask()).status, 400)
  await page.getByText('Requests arrive, but none has succeeded yet').waitFor()
  await page.getByText('no such luck').waitFor()
  assert.equal(await step(/Send a request \(done\)/).count(), 0)
})

test('the first success completes the checklist, which stays after a reload; the overview follows, and stays', async () => {
  await waitFor('a request to succeed', async () => (await ask()).status === 200)
  await step(/Send a request \(done\)/).waitFor()
  await page.reload()
  await step(/Send a request \(done\)/).waitFor()
  await page.getByText('Receiving requests').waitFor()
  await page.getByRole('button', { name: 'Open overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

const send = async (path: string, json: object, method = 'POST') => {
  const answer = await product.call(path, { json, method })
  assert.ok(answer.status < 300, answer.text)
  return answer.json
}
const refresh = () =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")

test('the overview has figures, what failed, and what happened as one list; what is empty is not shown', async () => {
  const figures = page.getByLabel('Headline figures')
  await figures.getByText('Spend, this month').waitFor()
  await figures.getByText('Error rate').waitFor()
  const failed = (await figures.getByRole('link', { name: '50%' }).getAttribute('href')) ?? ''
  assert.match(failed, /^\/logs\?(?=.*status=error)(?=.*start_date=)(?=.*end_date=)/)
  await page.getByRole('link', { name: /no such luck/ }).waitFor()
  await page
    .getByRole('link', { name: /2 requests, 1 failed/ })
    .first()
    .waitFor()
  assert.equal(await page.getByRole('heading', { name: 'What happened' }).count(), 0)
  assert.equal(await page.getByRole('heading', { name: 'Needs attention' }).count(), 0)
  await send('/api/deployments', {
    ...{ service: 'checkout', environment: 'production', version: '1.4.2', status: 'succeeded' },
    started_at: '2026-11-17T10:00:00Z',
  })
  for (const name of ['checkout', 'search']) await send('/api/services', { name })
  await page.reload()
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
  await page.getByRole('link', { name: /checkout 1\.4\.2.*Deployment, succeeded in production/ }).waitFor()
})

test('what needs attention is one strip before everything else, and in the title, the bell and the sidebar', async () => {
  const incident = (service: string) => send('/api/incidents', { service, cause: 'Expected status 200.' })
  const incidents = [await incident('checkout'), await incident('search')]
  await refresh()
  const strip = page.getByRole('region', { name: 'Needs attention' })
  await strip.getByText('2 services are down').waitFor()
  await strip.getByText('checkout, search').waitFor()
  assert.equal(await strip.getByRole('link').count(), 1, 'one button for both')
  const [first] = await page.locator('main section, main dl').all()
  assert.equal(await first?.getAttribute('aria-labelledby'), 'attention')
  await waitFor('the title', async () => (await page.title()).startsWith('(2) '))
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Services 2 down' }).waitFor()
  await page.getByRole('button', { name: 'Notifications, 2 open' }).first().click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  await bell.getByText('2 services are down').waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 800 })
  const [box, figures] = await Promise.all([
    strip.boundingBox(),
    page.getByLabel('Headline figures').boundingBox(),
  ])
  assert.ok(box && figures && box.y + box.height <= figures.y && box.width <= 390, 'also on the phone')
  await strip.getByRole('link', { name: /^Open services/ }).click()
  await page.waitForURL(/\/services/)
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const { id } of incidents)
    await send(`/api/incidents/${id}`, { closed_at: new Date().toISOString() }, 'PATCH')
  await refresh()
  await navigation.getByRole('link', { name: 'Services', exact: true }).waitFor()
  await waitFor('the title', async () => !(await page.title()).startsWith('('))
})
