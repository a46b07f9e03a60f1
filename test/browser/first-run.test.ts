/** What a new user does first, with each provider: a key, a database of their own, and a run of the agent on it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { providerNames, startFakeProvider, type ProviderName } from '#fake-provider'
import { startPages } from '#test/browser'
import { startExternalServer } from '#test/external-server'
import { sqlCall } from '#test/runs'
import { startSql } from '../../src/sql/testing-sql.ts'

const external = await startExternalServer()
await external.ask('postgres', `create role shop login password 'pw-shop'`)
await external.ask('postgres', 'create database shop owner shop')
const url = external.urlOf('shop', 'pw-shop', 'shop')
await external.ask(url, 'create table goods (id int primary key); insert into goods values (1), (2), (3)')
const fake = await startFakeProvider()
after(() => fake.close())
const server = await startSql({ ...fake.baseUrls, GEMINI_API_KEY: 'gemini-of-the-tests' })
const { open } = await startPages(server)

/** As they look, so that the page knows whose they are. */
const keys: Record<ProviderName, string> = {
  anthropic: 'sk-ant-api03-of-a-new-user-0000000000000000',
  openai: 'sk-proj-of-a-new-user-0000000000000000',
  gemini: 'AIzaSyOfANewUser0000000000000000000000',
  perplexity: 'pplx-ofanewuser00000000000000000000000000000000',
  openrouter: `sk-or-v1-${'0'.repeat(64)}`,
}

const counting = { ...sqlCall('select count(*) as n from goods') }
counting.arguments.database = 'shop'

for (const provider of providerNames)
  test(`the first run with a key of ${provider}: the model that is offered works, on a database of one’s own`, async () => {
    const { json: group } = await server.call('/api/v1/groups', { json: { name: `With ${provider}` } })
    const inGroup = (path: string) => open(`${path}?group_id=${group.id}`)
    const home = await inGroup('/')
    await home.getByRole('link', { name: 'Connect a database' }).waitFor()
    await home.getByRole('link', { name: 'Run an agent' }).waitFor()
    await home.getByLabel('Key', { exact: true }).fill(keys[provider])
    await home.getByRole('button', { name: 'Add key' }).click()
    await home.getByText('Working', { exact: true }).waitFor()

    const databases = await inGroup('/sql/databases')
    await databases.getByRole('button', { name: 'Add database' }).first().click()
    const form = databases.getByRole('dialog')
    await form.getByLabel('Address', { exact: true }).fill(url)
    await form.getByRole('button', { name: 'Add database' }).click()
    const card = databases.getByRole('region', { name: 'shop' })
    await card.getByRole('button', { name: 'Allow shop for' }).click()
    await card.getByRole('link', { name: 'Ask Data engineer' }).click()

    await databases.getByText(/^Model: /).waitFor()
    const reached = fake.requests.length
    fake.script(provider, { toolCalls: [counting] })
    fake.script(provider, { text: 'shop has 3 goods.' })
    await databases.getByLabel('Request').fill('How many goods has shop?')
    await databases.getByRole('button', { name: 'Ask agent' }).click()
    await databases.getByRole('status').getByText('Completed').waitFor()
    await databases.getByText('shop has 3 goods.').waitFor()
    const calls = fake.requests.slice(reached).filter(({ endpoint }) => endpoint !== 'models')
    assert.ok(calls.length >= 2 && calls.every((call) => call.provider === provider))
  })

test('the page of the agent leads to where a database is added', async () => {
  const page = await open('/agents/data-engineer')
  await page.getByRole('link', { name: 'Add your own' }).click()
  await page.getByRole('button', { name: 'Add database' }).waitFor()
})

test('a run whose model has no price says so when it has ended, and where to add one', async () => {
  const { json: models } = await server.call('/api/v1/gateway/models')
  const unpriced = models.data.find(
    (model: { id: string; input_price_per_1m: unknown }) =>
      model.id.startsWith('gemini-') && model.input_price_per_1m === null,
  )
  await server.call('/api/agents', { json: { id: 'unpriced', name: 'Unpriced', model: unpriced.id } })
  const run = await server.call('/api/agents/unpriced/ask', { json: { request: 'Say something.' } })
  assert.deepEqual([run.json.status, run.json.cost], ['completed', null], run.text)
  const page = await open(`/agents/runs/${run.json.run_id}`)
  await page.getByText('A model of this run has no price.').waitFor()
  await page.getByRole('link', { name: 'Add a price' }).click()
  await page.getByRole('heading', { level: 1, name: /price/i }).waitFor()
})
