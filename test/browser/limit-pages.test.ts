import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '#test/browser'
import { startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { open } = await startPages(server)
const messages = [{ role: 'user', content: 'Hello' }]
const ask = () =>
  server.call('/v1/chat/completions', { key: server.key, json: { model: 'gpt-6-sol', messages } })

test('a limit is set, hit and raised', async () => {
  const page = await open('/limits')
  await page.getByText('No limits yet').waitFor()
  await page.getByRole('button', { name: 'Add limit' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is limited').selectOption('Requests')
  await dialog.getByLabel('At most').fill('1')
  await dialog.getByLabel('Per').selectOption('in total')
  await dialog.getByRole('button', { name: 'Try this limit' }).click()
  await dialog.getByText('It would have blocked nothing in the last 30 days.').waitFor()
  await dialog.getByRole('button', { name: 'Add limit' }).click()
  await page.getByText('0 of 1 request in total').waitFor()

  const first = await waitFor('the limit to hold', async () => {
    const served = await ask()
    return served.status === 429 && served
  })
  assert.equal(first.json.error.code, 'limit_exceeded')
  await page.getByText('Blocks now').waitFor()

  // The playground says why, and where it is raised.
  const playground = await open('/playground?model=gpt-6-sol')
  await playground.getByPlaceholder('Message the model').fill('Hello')
  await playground.getByRole('button', { name: 'Send' }).click()
  await playground.getByText(/can raise it on the page Limits/).waitFor()
  await playground.getByRole('link', { name: 'Open limits' }).click()

  await playground.getByRole('button', { name: /^Actions for Group Default/ }).click()
  await playground.getByRole('menuitem', { name: 'Edit limit' }).click()
  await playground.getByLabel('At most').fill('100')
  await playground.getByRole('button', { name: 'Save limit' }).click()
  await playground.getByText(/of 100 requests in total/).waitFor()
  await waitFor('requests to pass', async () => (await ask()).status === 200)

  await playground.getByRole('button', { name: /^Actions for Group Default/ }).click()
  await playground.getByRole('menuitem', { name: 'Delete limit' }).click()
  await playground.getByRole('button', { name: 'Delete limit' }).click()
  await playground.getByText('No limits yet').waitFor()
})

test('the limits of a key, a person and the group are on their pages', async () => {
  const { json: me } = await server.call('/api/v1/me')
  const { json: made } = await server.call('/api/v1/keys', { json: { name: 'Limited app' } })
  const subjects = [
    { type: 'group' },
    { type: 'api_key', id: made.id },
    { type: 'user', id: me.user.id },
    { type: 'tag', id: 'nightly' },
  ]
  for (const subject of subjects) {
    const json = { subject, metric: 'cost', amount: '25.00', window: 'month' }
    const added = await server.call('/api/v1/limits', { json })
    assert.equal(added.status, 201, added.text)
  }
  const limits = await open('/limits')
  for (const name of ['Group Default', 'Limited app', me.user.name, 'nightly'])
    await limits
      .getByRole('row', { name })
      .getByText(/of \$25\.00 a month/)
      .waitFor()
  const keys = await open('/keys')
  await keys.getByRole('row', { name: 'Limited app' }).getByRole('meter').waitFor()
  const groups = await open('/groups')
  await groups.getByText('Limits of the group').waitFor()
  assert.equal(await groups.getByRole('meter').count(), 2)
  const account = await open('/account')
  await account.getByText('Your limits').waitFor()
  assert.equal(await account.getByRole('meter').count(), 1)
})

test('an alert on a budget arrives in the bell when spend passes it', async () => {
  const price = { input_price_per_1m: '1000', output_price_per_1m: '1000' }
  await server.call('/api/v1/pricing/gpt-6-sol', { method: 'PUT', json: price })
  const subject = { type: 'tag', id: 'release' }
  const json = { subject, metric: 'cost', amount: '0.01', window: 'total' }
  assert.equal((await server.call('/api/v1/limits', { json })).status, 201)

  const page = await open('/alerts')
  await page.getByRole('button', { name: 'Create alert' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('When').selectOption('Share of a limit used')
  await form.getByLabel('Limit').selectOption('release, $0.01 in total')
  await form.getByRole('button', { name: 'Create alert' }).click()
  await page.getByText('Alert created').last().waitFor()

  const home = await open('/services')
  await home.getByRole('button', { name: 'Notifications', exact: true }).first().waitFor()
  // More than 10 tokens at a dollar a thousand.
  const metadata = { tags: ['release'] }
  const asked = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'gpt-6-sol', messages, max_tokens: 50, metadata },
  })
  assert.equal(asked.status, 200, asked.text)
  await waitFor(
    'the notification',
    async () => (await server.call('/api/v1/notifications')).json.unread === 1,
  )
  // As when somebody comes back to the page: what is polled every 30 seconds is asked for at once.
  await home.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
  await home
    .getByRole('button', { name: /^Notifications, \d open/ })
    .first()
    .click()
  const bell = home.getByRole('dialog', { name: 'Notifications' })
  await bell.getByText(/release: \d+ % used|release has used/).waitFor()

  // What needs attention leads to the one limit, which stands out among the others.
  const overview = await open('/')
  await overview.getByRole('link', { name: /^Open limit: release/ }).click()
  await overview.waitForURL(/\/limits\?limit=/)
  const limits = overview.getByRole('table', { name: 'Limits' })
  await limits.getByRole('row', { name: 'Limited app' }).waitFor()
  const marked = limits.locator('tr[aria-current]')
  assert.equal(await marked.count(), 1)
  assert.match(await marked.innerText(), /^release/)
})

test('the record of a refused request leads to the limits, whatever its message says', async () => {
  const subject = { type: 'tag', id: 'closed' }
  const added = await server.call('/api/v1/limits', {
    json: { subject, metric: 'cost', amount: '5', window: 'day' },
  })
  assert.equal(added.status, 201, added.text)
  const refused = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'gpt-unheard-of', messages, metadata: { tags: ['closed'] } },
  })
  assert.equal(refused.json.error.code, 'budget_exceeded')
  const id = refused.headers.get('x-request-id')
  await waitFor('the row', async () => (await server.call(`/api/v1/logs/${id}`)).status === 200)
  const page = await open(`/logs?request=${id}`)
  await page.getByText(/has no known price/).waitFor()
  await page.getByRole('link', { name: 'Open limits' }).waitFor()
})
