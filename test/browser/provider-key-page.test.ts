import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const server = await startGateway()
const { open } = await startPages(server)

interface Key {
  id: string
  name: string
}

async function openaiKey(): Promise<Key> {
  const { json } = await server.call('/providers', { headers: { accept: 'application/json' } })
  const provider = json.providers.find(({ id }: { id: string }) => id === 'openai')
  return provider.accounts[0].keys[0]
}

const ask = (more: object = {}) =>
  server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: exampleModels.openai, messages: [{ role: 'user', content: 'Hello' }], ...more },
  })

test('a provider key has a page with its requests, who selects it and what happened to it', async () => {
  const { id, name } = await openaiKey()
  assert.equal((await ask()).status, 200)
  await server.call('/api/v1/keys', {
    json: { name: 'Only this key', provider_key_overrides: { openai: id } },
  })
  const page = await open('/providers')
  await page.getByRole('region', { name: 'OpenAI' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByLabel('The last 30 days').getByText('Requests').waitFor()
  await page.getByRole('link', { name: 'Only this key' }).waitFor()
  await page.getByRole('list', { name: 'Timeline' }).getByText('Key added').waitFor()
  assert.deepEqual(await violationsInBothThemes(page), [])

  // From a request to the key, and from the key to the request.
  const requests = page.getByRole('table', { name: 'Recent requests' })
  await requests.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('dialog').getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
})

test('spend by provider key leads to the page of the key', async () => {
  const { name } = await openaiKey()
  const page = await open('/usage?by=provider_key')
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
})

test('a provider key that is refused needs attention, and its page says why', async () => {
  const { id, name } = await openaiKey()
  const changed = await server.call(`/providers/key/${id}/update`, { json: { api_key: 'sk-bad-0123456789' } })
  assert.equal(changed.status, 200, changed.text)
  await ask()
  const page = await open('/')
  await page.getByRole('link', { name: /^Replace key: .* is refused/ }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await page.getByText('Last request failed').first().waitFor()
  await page
    .getByText(/refused the stored provider key/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
  await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor()
})
