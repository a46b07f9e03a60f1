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

test('the overview has spend, requests, errors, providers, failures and a card of every other part', async () => {
  await product.call('/api/console/events', {
    json: { type: 'config', severity: 'error', title: 'Disk full' },
  })
  await product.call('/api/deployments', {
    json: { service: 'checkout', environment: 'production', version: '1.4.2', status: 'succeeded' },
  })
  await product.call('/api/tickets', { json: { title: 'Slow look-ups' } })
  await page.reload()
  const figures = page.getByLabel('Headline figures')
  await figures.getByText('Spend').waitFor()
  await figures.getByText('Error rate').waitFor()
  await page.getByRole('link', { name: /no such luck/ }).waitFor()
  await page.getByRole('link', { name: /2 requests, 1 failed/ }).waitFor()
  const parts = page.getByRole('region', { name: 'Other parts' })
  await parts.getByText('checkout 1.4.2').waitFor()
  await parts.getByText('1 open').waitFor()
  await parts.getByText(/with an error, in the last 24 hours/).waitFor()
  for (const name of ['Approvals', 'Agents', 'Events', 'Services', 'Deployments', 'Sessions', 'Stand-ups'])
    assert.equal(await parts.getByRole('link', { name: new RegExp(`^${name}`) }).count(), 1, name)
  await parts.getByRole('link', { name: /^Tickets/ }).click()
  await page.waitForURL(/\/tickets/)
})
