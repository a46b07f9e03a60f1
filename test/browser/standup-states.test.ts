import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsInBothThemes } from '../harness/accessibility.ts'
import { startPages } from '../harness/browser.ts'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { scriptProposals } from '../harness/standup-script.ts'

const wire = 'anthropic'
const server = await startGateway({ STANDUP_MODEL: exampleModels[wire], RUNTIME: 'builtin' })
const { fake, call } = server
const { browser, open } = await startPages(server)

const create = async (path: string, json: object) => (await call(path, { json })).json

test('a viewer follows a stand-up and has nothing to press', async () => {
  const { slug } = await create('/api/initiatives', { title: 'Read along' })
  fake.script(wire, { text: 'Hello, reader.' })
  const member = await open(`/initiatives/${slug}/standup`)
  await member.getByRole('button', { name: 'Start stand-up' }).click()
  await member.getByText('Hello, reader.').waitFor()
  const invitation = await create(`/api/v1/groups/${server.first.groupId}/invitations`, { role: 'viewer' })
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.request.post(`${server.url}/api/auth/invitation/accept`, {
    data: {
      token: new URL(invitation.url as string).searchParams.get('token'),
      ...{ name: 'Reader', email: 'reader@example.com', password: 'a long enough password' },
    },
    headers: { origin: server.url },
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/initiatives/${slug}/standup`)
  await page.getByText('You are reading along.').waitFor()
  fake.script(wire, { text: 'Answered.' })
  await member.getByRole('textbox', { name: 'Message' }).fill('Say something')
  await member.keyboard.press('Enter')
  await page.getByText('Answered.').waitFor()
  assert.deepEqual(await page.locator('main').getByRole('button').allTextContents(), [''])
  assert.equal(await page.locator('main').getByRole('textbox').count(), 0)
  await context.close()
})

test('axe finds nothing before, in and after a stand-up, wide and on a phone, in both themes', async () => {
  const { id, slug } = await create('/api/initiatives', { title: 'For everybody' })
  const { criteria } = await create(`/api/initiatives/${id}/criteria`, { text: 'It works', confidence: 50 })
  const path = `/initiatives/${slug}/standup`
  const [wide, phone] = [await open(path), await open(path, 390)]
  const check = async (when: string): Promise<void> => {
    for (const page of [wide, phone]) {
      assert.deepEqual(await violationsInBothThemes(page), [], when)
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      assert.equal(isWide, false, `${when}, nothing scrolls sideways`)
    }
  }
  for (const page of [wide, phone]) await page.getByRole('button', { name: 'Start stand-up' }).waitFor()
  await check('before')
  fake.script(wire, { text: '## State\n\nAll is well.' })
  await wide.getByRole('button', { name: 'Start stand-up' }).click()
  await phone.reload()
  for (const page of [wide, phone]) await page.getByText('All is well.').waitFor()
  scriptProposals(fake, wire, criteria[0].id)
  await phone.getByRole('textbox', { name: 'Message' }).fill('Propose something')
  await phone.getByRole('button', { name: 'Send' }).click()
  for (const page of [wide, phone])
    await page.getByText('Two proposals are at the side.', { exact: true }).waitFor()
  await check('in a stand-up')
  const proposal = phone.getByRole('region', { name: 'Proposal: Keep guest checkout' })
  await proposal.getByRole('button', { name: 'Accept' }).click()
  await proposal.getByText('accepted', { exact: true }).waitFor()
  await phone.getByRole('button', { name: 'End stand-up' }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'End stand-up' }).click()
  for (const page of [wide, phone]) await page.getByText('3 drafts to review').waitFor()
  await check('after')
})

test('a refusal of the model is shown as one, and the stand-up continues', async () => {
  const { slug } = await create('/api/initiatives', { title: 'Refused' })
  fake.script(wire, { refusal: 'I cannot help with that.' })
  const page = await open(`/initiatives/${slug}/standup`)
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const refusal = page.getByRole('note').filter({ hasText: 'The model refused to respond' })
  await refusal.getByText('I cannot help with that.', { exact: true }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
  fake.script(wire, { text: 'With pleasure.' })
  await page.getByRole('textbox', { name: 'Message' }).fill('Something else, then')
  await page.keyboard.press('Enter')
  await page.getByText('With pleasure.').waitFor()
})

test('a page whose initiative is deleted says so and leads back to the others', async () => {
  const { id, slug } = await create('/api/initiatives', { title: 'Deleted meanwhile' })
  fake.script(wire, { text: 'Hello.' })
  const page = await open(`/initiatives/${slug}/standup`)
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  await page.getByText('Hello.').waitFor()
  await call(`/api/initiatives/${id}`, { method: 'DELETE' })
  await page.getByRole('heading', { name: 'This initiative was deleted' }).waitFor()
  await page.getByRole('link', { name: 'Open initiatives' }).click()
  await page.getByRole('heading', { name: 'Initiatives', level: 1 }).waitFor()
})

test('without a provider key the page says what to do', async () => {
  const { slug } = await create('/api/initiatives', { title: 'No key' })
  const other = await create('/api/v1/groups', { name: 'Keyless' })
  await call('/api/initiatives', { json: { title: 'No key' }, headers: { 'x-group-id': other.id as string } })
  const page = await open('/')
  await page.evaluate(`localStorage.setItem('signalbox.group', '${other.id}')`)
  await page.goto(`${server.url}/initiatives/${slug}/standup`)
  await page.getByRole('heading', { name: 'The agent needs a provider key' }).waitFor()
  await page.getByRole('link', { name: 'Add provider key' }).click()
  await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor()
})
