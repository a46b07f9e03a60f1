import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { startProduct } from '../harness/product.ts'

const server = await startProduct()
const { browser, open } = await startPages(server)

const create = async (path: string, json: object) => (await server.call(path, { json })).json

test('a new initiative gets a criterion, a confidence with its reason, an answer and a decision', async () => {
  const page = await open('/initiatives')
  await page.getByRole('heading', { name: 'No initiatives yet' }).waitFor()
  await page.getByRole('button', { name: 'Create initiative' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title').fill('Checkout in one step')
  await form.getByLabel('Owner').fill('ada')
  await form.getByRole('button', { name: 'Create initiative' }).click()
  await page.getByRole('heading', { name: 'Checkout in one step', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/initiatives/checkout-in-one-step')

  await page.getByRole('button', { name: 'Add criterion' }).click()
  const criterion = page.getByRole('form', { name: 'Add criterion' })
  await criterion.getByLabel('Criterion').fill('p95 is below 300 ms')
  await criterion.getByRole('button', { name: 'Add criterion' }).click()
  await page.getByText('not estimated').waitFor()
  await page.getByRole('button', { name: 'Estimate' }).click()
  await page.getByLabel('Confidence: 50%, even').press('ArrowRight')
  // The browser asks for the reason before the server has to.
  await page.getByRole('button', { name: 'Save confidence' }).click()
  await page.getByLabel('Reason').fill('The load test passed')
  await page.getByRole('button', { name: 'Save confidence' }).click()
  await page.getByText('60%').first().waitFor()
  await page.getByText('1 change', { exact: true }).click()
  await page.getByText('The load test passed').waitFor()

  await page.getByRole('button', { name: 'Add question' }).click()
  const question = page.getByRole('form', { name: 'Add question' })
  await question.getByLabel('Question').fill('Keep guests?')
  await question.getByLabel('Category').selectOption('Priority')
  await question.getByRole('button', { name: 'Add question' }).click()
  await page.getByRole('region', { name: 'Priority' }).getByRole('button', { name: 'Answer' }).click()
  await page.getByLabel('Answer', { exact: true }).fill('Yes, this year')
  await page.getByRole('button', { name: 'Save answer' }).click()
  await page.getByText('1 answered').click()
  await page.getByText('Yes, this year').waitFor()

  for (const [button, title, decision] of [
    ['Record decision', 'Guests may buy', 'Without an account.'],
    ['Supersede', 'Guests confirm their address', 'By e-mail.'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    const dialog = page.getByRole('dialog').last()
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Decision', { exact: true }).fill(decision)
    await dialog.getByRole('button', { name: 'Record decision' }).click()
    await page.getByRole('link', { name: title }).first().click()
    await page.getByRole('heading', { name: title, level: 2, exact: true }).waitFor()
  }
  const panel = page.getByRole('dialog')
  await panel.getByRole('link', { name: 'Guests may buy' }).click()
  await panel.getByText('superseded', { exact: true }).waitFor()
  await panel.getByRole('link', { name: 'Guests confirm their address' }).waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Supersede' }).count(), 0)
})

test('a pasted address becomes a link of its kind, and the cost says what it counts', async () => {
  const { id, slug } = await create('/api/initiatives', { title: 'Linked' })
  const ticket = await create('/api/tickets', { title: 'Cache the tax table' })
  const page = await open(`/initiatives/${slug}`)
  for (const [address, hint] of [
    [`${server.url}/tickets/${ticket.id}`, 'Links a ticket.'],
    [`/transcripts/${randomUUID()}`, 'Links a transcript.'],
    ['https://example.com/brief', 'Links a web page.'],
  ] as const) {
    await page.getByRole('button', { name: 'Add link' }).click()
    const form = page.getByRole('form', { name: 'Add link' })
    await form.getByLabel('Address').fill(address)
    await form.getByText(hint).waitFor()
    await form.getByRole('button', { name: 'Add link' }).click()
    await form.waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: 'Cache the tax table' }).waitFor()
  await page.getByText('Not counted: 1 linked transcript not in the archive.').waitFor()
  const { json } = await server.call(`/api/initiatives/${id}`)
  assert.deepEqual(
    json.links.map(({ kind }: { kind: string }) => kind),
    ['transcript', 'url'],
  )
})

test('a viewer reads everything and has no button to change anything', async () => {
  const { id, slug } = await create('/api/initiatives', { title: 'Only to read' })
  await create(`/api/initiatives/${id}/criteria`, { text: 'Read by all', confidence: 30 })
  await create(`/api/initiatives/${id}/questions`, { text: 'Who reads?', category: 'direction' })
  const invitation = await create(`/api/v1/groups/${server.first.groupId}/invitations`, { role: 'viewer' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const joined = await context.request.post(`${server.url}/api/auth/invitation/accept`, {
    data: {
      token: new URL(invitation.url as string).searchParams.get('token'),
      ...{ name: 'Reader', email: 'reader@example.com', password: 'a long enough password' },
    },
    headers: { origin: server.url },
  })
  assert.equal(joined.status(), 200)
  const page = await context.newPage()
  await page.goto(`${server.url}/initiatives/${slug}`)
  await page.getByRole('heading', { name: 'Read by all' }).waitFor()
  await page.getByText('Who reads?').waitFor()
  const buttons = await page.locator('main').getByRole('button').allTextContents()
  assert.deepEqual(
    buttons.filter((text) => text !== ''),
    [],
  )
  assert.equal(await page.getByRole('link', { name: /stand-up/i }).count(), 0)
  await page.goto(`${server.url}/initiatives?new=true`)
  await page.getByRole('link', { name: 'Only to read' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await context.close()
})

test('axe finds nothing on the list and on one initiative, wide and on a phone, in both themes', async () => {
  const { id, slug } = await create('/api/initiatives', {
    title: 'For everybody',
    description: '## Why\n\nBecause.',
  })
  const { criteria } = await create(`/api/initiatives/${id}/criteria`, {
    text: 'Read by all',
    confidence: 30,
  })
  await server.call(`/api/initiatives/${id}/criteria/${criteria[0].id}`, {
    method: 'PATCH',
    json: { confidence: 80, reason: 'It is' },
  })
  await create(`/api/initiatives/${id}/questions`, { text: 'Who reads?', category: 'approval' })
  const { decisions } = await create(`/api/initiatives/${id}/decisions`, { title: 'One', decision: '## Yes' })
  for (const width of [1280, 390])
    for (const path of ['/initiatives', `/initiatives/${slug}?decision=${decisions[0].id}`]) {
      const page = await open(path, width)
      await page.getByText('For everybody').first().waitFor()
      assert.deepEqual(await violationsInBothThemes(page), [], `${path} at ${width}`)
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      assert.equal(isWide, false, `${path} does not scroll sideways at ${width}`)
    }
})
