import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const server = await startGateway()
const { open } = await startPages(server)

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
  const { json } = await server.call('/providers', { headers: { accept: 'application/json' } })
  const keys = json.providers.flatMap(
    (provider: { accounts: { keys: { key_suffix: string; id: string }[] }[] }) =>
      provider.accounts.flatMap((account) => account.keys),
  )
  const added = keys.find((key: { key_suffix: string }) => key.key_suffix === 'wxyz')
  const revealed = await server.call(`/providers/key/${added.id}/reveal`)
  assert.deepEqual(revealed.json, { id: added.id, api_key: 'sk-ant-planted-in-the-browser-wxyz' })
  assert.equal(revealed.headers.get('cache-control'), 'no-store')
})

test('a key uses the provider key that was chosen for it, until the default is chosen again', async () => {
  const { json: added } = await server.call('/providers/openai', {
    key: server.key,
    json: { api_key: 'sk-planted-openai-second-9876', name: 'Second account' },
    headers: { accept: 'application/json' },
  })
  const overrides = async () => {
    const { json } = await server.call('/api/v1/keys')
    return json.data.find(({ name }: { name: string }) => name === 'chooser')?.provider_key_overrides
  }
  const page = await open('/keys?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('chooser')
  const select = dialog.getByLabel('OpenAI')
  assert.equal(await select.locator('option:checked').innerText(), 'Default key')
  await select.selectOption({ label: 'Second account …9876' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText(/sb-[A-Za-z0-9_-]{40,}/).waitFor()
  assert.deepEqual(await overrides(), { openai: added.id })
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions for chooser' }).click()
  await page.getByRole('menuitem', { name: 'Edit key' }).click()
  assert.equal(await select.inputValue(), added.id)
  await select.selectOption({ label: 'Default key' })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(await overrides(), {})
})

test('a key gets the models and addresses that it may use, and shows them', async () => {
  const lists = async () => {
    const { json } = await server.call('/api/v1/keys')
    const found = json.data.find(({ name }: { name: string }) => name === 'narrow')
    return [found?.allowed_models, found?.allowed_addresses]
  }
  const page = await open('/keys?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('narrow')
  const models = dialog.getByRole('combobox', { name: 'Allowed models' })
  await models.fill('gpt-6-*')
  await models.press('Enter')
  await models.fill('claude-sonnet-5-5')
  const addresses = dialog.getByRole('textbox', { name: 'Allowed addresses' })
  await addresses.fill('10.0.0.0/33')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText(/must be an address or a network/).waitFor()
  await dialog.getByRole('button', { name: 'Remove 10.0.0.0/33' }).click()
  await addresses.fill('10.0.0.0/8 2001:db8::/32')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  assert.deepEqual(await lists(), [
    ['gpt-6-*', 'claude-sonnet-5-5'],
    ['10.0.0.0/8', '2001:db8::/32'],
  ])
  await page.getByText('2 addresses').first().waitFor()
  await page.getByRole('button', { name: 'Actions for narrow' }).click()
  await page.getByRole('menuitem', { name: 'Edit key' }).click()
  for (const entry of ['10.0.0.0/8', '2001:db8::/32', 'claude-sonnet-5-5'])
    await dialog.getByRole('button', { name: `Remove ${entry}` }).click()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(await lists(), [['gpt-6-*'], null])
})

test('a user who may not list provider keys sees the id of an override and can clear it', async () => {
  const { json: added } = await server.call('/providers/openai', {
    json: { api_key: 'sk-planted-openai-third-5432', name: 'Third account' },
    headers: { accept: 'application/json' },
  })
  const id = added.id as string
  const { json: made } = await server.call('/api/v1/keys', {
    json: { name: 'blind', provider_key_overrides: { openai: id } },
  })
  const page = await open('/keys')
  const forbidden = { error: { message: 'No.', type: 'permission_error', param: null, code: 'forbidden' } }
  await page.route(/\/providers\?/, (route) => route.fulfill({ status: 403, json: forbidden }))
  await page.getByRole('button', { name: 'Actions for blind' }).click()
  await page.getByRole('menuitem', { name: 'Edit key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(id, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Clear override for OpenAI' }).click()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { json } = await server.call('/api/v1/keys')
  const after = json.data.find((key: { id: string }) => key.id === made.id)
  assert.deepEqual(after.provider_key_overrides, {})
})

test('the playground streams a response and shows tokens, durations and the request id', async () => {
  const page = await open(`/playground?model=${exampleModels.gemini}`)
  await page.getByRole('textbox', { name: /message/i }).fill('Hello from the browser')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Echo: Hello from the browser').waitFor()
  await page.getByText('First token').waitFor()
  assert.match(await page.innerText('main'), /req_[0-9a-f]+/)
})

test('the sources of a response are links below it, and their titles are text', async () => {
  const title = '<img src=x onerror="document.title=1">Signal'
  const found = ['https://rail.example/signals', 'javascript:alert(1)', 'https://rail.example/signals']
  const results = found.map((url, index) => ({ id: index + 1, url, title }))
  const text = { type: 'output_text', text: 'Boxes[1]', annotations: [] }
  const output = [
    { type: 'search_results', queries: [], results },
    { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [text] },
  ]
  const response = { id: 'r', object: 'response', status: 'completed', output, error: null, usage: null }
  const event = { type: 'response.completed', sequence_number: 1, response }
  server.fake.script(
    { provider: 'perplexity' },
    { frames: [`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`] },
  )
  const page = await open(`/playground?model=${exampleModels.perplexity}`)
  await page.getByRole('textbox', { name: /message/i }).fill('What is a signal box?')
  await page.keyboard.press('Control+Enter')
  const links = page.getByRole('list', { name: 'Sources' }).getByRole('link')
  await links.first().waitFor()
  assert.equal(await links.count(), 1)
  assert.match(
    await links.first().innerText(),
    /^<img src=x onerror="document.title=1">Signal\s+rail.example$/,
  )
  assert.equal(await links.first().getAttribute('href'), 'https://rail.example/signals')
  assert.equal(await links.first().getAttribute('target'), '_blank')
  assert.equal(await links.first().getAttribute('rel'), 'noreferrer noopener')
})

test('an error in the playground says what to do', async () => {
  server.fake.script({ provider: 'openai' }, { error: { status: 401 } } as never)
  const page = await open(`/playground?model=${exampleModels.openai}`)
  await page.getByRole('textbox', { name: /message/i }).fill('Hello')
  await page.keyboard.press('Control+Enter')
  await page
    .getByText(/refused the stored provider key/i)
    .first()
    .waitFor()
})

test('a provider key is renamed and replaced in the browser', async () => {
  const { json: added } = await server.call('/providers/gemini', {
    json: { api_key: 'AIza-before-0001', name: 'Old name' },
    headers: { accept: 'application/json' },
  })
  const page = await open('/providers')
  await page.getByRole('button', { name: 'Actions for Old name' }).click()
  await page.getByRole('menuitem', { name: 'Edit key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('New name')
  await page.getByLabel('New key (optional)').fill(' AIza-after-0002 ')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Actions for New name' }).waitFor()
  const { json } = await server.call(`/providers/key/${added.id}/reveal`)
  assert.equal(json.api_key, 'AIza-after-0002')
})

test('a custom provider is added, edited and turned off in the browser', async () => {
  const page = await open('/providers?new=true')
  await page.getByLabel('Name', { exact: true }).fill('House model')
  await page.getByLabel('Base URL').fill('https://models.example.com/v1')
  await page.getByLabel('Model name prefixes').fill('house/')
  await page.getByRole('button', { name: 'Add provider' }).click()
  const actions = page.getByRole('button', { name: 'Actions for House model' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Edit provider' }).click()
  await page.getByLabel('Base URL').fill('https://other.example.com/v1')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('https://other.example.com/v1').waitFor()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Turn off provider' }).click()
  await page.getByRole('region', { name: 'House model' }).getByText('Disabled').waitFor()
})

test('a provider added while the list is loading appears in it', async () => {
  const page = await open('/keys')
  const added = Promise.withResolvers<void>()
  // The first response is from before the change and arrives after it.
  await page.route(
    /\/providers\?group_id=/,
    async (route) => {
      const early = await route.fetch()
      await added.promise
      await route.fulfill({ response: early })
    },
    { times: 1 },
  )
  await page.goto(`${server.url}/providers?new=true`)
  await page.getByLabel('Name', { exact: true }).fill('Late model')
  await page.getByLabel('Base URL').fill('https://late.example.com/v1')
  await page.getByLabel('Model name prefixes').fill('late/')
  const answered = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Add provider' }).click()
  await answered
  added.resolve()
  await page.getByRole('button', { name: 'Actions for Late model' }).waitFor()
})

for (const path of ['/providers', '/playground']) {
  test(`${path} fits a phone of 375 px`, async () => {
    const page = await open(path, 375)
    const width = await page.locator('html').evaluate((html: { scrollWidth: number }) => html.scrollWidth)
    assert.ok(width <= 375, `${width} px wide`)
  })
}
