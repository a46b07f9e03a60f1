import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'

const server = await startGateway()
const { open } = await startPages(server)
const { openai, anthropic, gemini } = exampleModels

async function answeredBy(model: string): Promise<string | undefined> {
  const { status, text } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model, messages: [{ role: 'user', content: 'Hello' }] },
  })
  assert.equal(status, 200, text)
  return server.fake.requests.at(-1)?.provider
}

test('a route is made on the page, and requests by its name go to its first target', async () => {
  const page = await open('/routes')
  await page.getByText('No routes yet').waitFor()
  await page.getByRole('button', { name: 'Create route' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('support')
  await dialog.getByLabel('Model of target 1').fill('no-such-model')
  await dialog.getByLabel('Model of target 2').fill(anthropic)
  await dialog.getByRole('button', { name: 'Create route' }).click()
  await dialog.getByText(/is not a model of any provider/).waitFor()
  await dialog.getByLabel('Model of target 1').fill(openai)
  await dialog.getByRole('button', { name: 'Create route' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'support' }).waitFor()
  assert.equal(await answeredBy('support'), 'openai')
})

test('targets change places by the keyboard and by dragging, and get conditions', async () => {
  const page = await open('/routes')
  const dialog = page.getByRole('dialog')
  const edit = async () => {
    await page.getByRole('button', { name: 'Actions for support' }).click()
    await page.getByRole('menuitem', { name: 'Edit route' }).click()
  }
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await edit()
  await dialog.getByRole('button', { name: 'Move target 1 down' }).press('Enter')
  await save()
  assert.equal(await answeredBy('support'), 'anthropic')
  await edit()
  const rows = dialog.getByRole('listitem')
  await rows.nth(1).getByTitle('Drag to another place').dragTo(rows.nth(0))
  assert.equal(await dialog.getByLabel('Model of target 1').inputValue(), openai)
  await rows
    .nth(0)
    .getByRole('button', { name: /Conditions and key/ })
    .click()
  await rows.nth(0).getByLabel('Input tokens, at most').fill('2')
  await dialog.getByRole('button', { name: 'Add target' }).click()
  await dialog.getByLabel('Model of target 3').fill(gemini)
  await save()
  await page.getByText('up to 2 tokens').waitFor()
  assert.equal(await answeredBy('support'), 'openai')
  const { json } = await server.call('/api/v1/routes/support')
  assert.deepEqual(json.targets, [
    { model: openai, when: { max_input_tokens: 2 } },
    { model: anthropic },
    { model: gemini },
  ])
})

test('a dry run says what a request would do, and why', async () => {
  const page = await open('/routes')
  await page.getByRole('button', { name: 'Dry run' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The request has about 1000 input tokens, and the target takes 2.').waitFor()
  const targets = dialog.getByRole('list', { name: 'Targets' }).getByRole('listitem')
  assert.match(await targets.nth(0).innerText(), /claude-sonnet-5-5[^]*used/)
  assert.match(await targets.nth(2).innerText(), /gpt-6-sol[^]*left out/)
  await dialog.getByLabel('Input tokens').fill('1')
  await targets.nth(0).getByText(openai).waitFor()
})

test('a provider that fails is seen in the log: the mark of the row, and both calls in its record', async () => {
  server.fake.script('openai', { error: { status: 503 } })
  assert.equal(await answeredBy('support'), 'anthropic')
  const page = await open('/logs')
  await page.getByTitle('2 calls to providers').first().waitFor({ state: 'attached' })
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  const attempts = page.getByRole('listitem')
  await attempts.filter({ hasText: 'OpenAI' }).filter({ hasText: '503' }).waitFor()
  await attempts.filter({ hasText: 'Anthropic' }).filter({ hasText: '200' }).waitFor()
})

test('a route is chosen in the playground, and deleted on its page', async () => {
  const playground = await open('/playground?model=support')
  await playground.getByRole('textbox', { name: /message/i }).fill('Hi')
  await playground.keyboard.press('Control+Enter')
  await playground.getByText('Echo: Hi').waitFor()
  const page = await open('/routes')
  await page.getByRole('button', { name: 'Actions for support' }).click()
  await page.getByRole('menuitem', { name: 'Delete route' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete route' }).click()
  await page.getByText('No routes yet').waitFor()
})
