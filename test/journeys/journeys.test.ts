/** What people come for, from the overview of the demo, each with at most four clicks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowser } from '#test/browser'
import { spawnDemo } from '#test/demo'
import { temporaryFolder } from '#test/product'
import { startJourney } from './journey.ts'

const dataDir = temporaryFolder()
const server = await spawnDemo(dataDir)
const browser = await startBrowser()
const start = () => startJourney(browser, server.url, server.groupId)

test('a first answer, with its cost', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByRole('button', { name: 'What should I check first when an API responds slowly?' }).click()
  const answer = page.getByRole('article', { name: /^Response from demo-/ })
  await answer.getByText('This is the Demo provider', { exact: false }).waitFor()
  await answer.getByText(/^\$0\.\d+$/).waitFor()
  assert.equal(clicks(), 2)
})

test('why spend rose: the model that caused most of it', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Usage' }).first().click()
  await page.getByRole('heading', { name: 'Why did it rise?' }).waitFor()
  const changes = page.getByRole('list', { name: 'Changes of spend' })
  await changes.getByText('demo-large').waitFor()
  assert.match((await changes.getByRole('listitem').nth(1).textContent()) ?? '', /^demo-large\+\$3/)
  assert.equal(clicks(), 1)
})

test('why the request of a colleague failed', async () => {
  const { page, clicks } = await start()
  const failures = page.getByRole('region', { name: 'Recent failures' })
  await failures.getByRole('link', { name: /demo-small/ }).click()
  const record = page.getByRole('dialog')
  await record.getByText('demo-small takes 16000 tokens', { exact: false }).first().waitFor()
  await record.getByText("Ben's assistant (demo)").first().waitFor()
  assert.equal(clicks(), 1)
})

test('a statement is approved, and the run that waited for it goes on', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: /Approvals/ }).click()
  await page.getByRole('link', { name: /delete from carts/ }).click()
  await page.getByText('104', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved', { exact: true }).first().waitFor()
  assert.ok(clicks() <= 4)
})

test('an agent runs', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await page.getByRole('link', { name: 'Data engineer' }).click()
  await page.getByLabel('Request').fill('How many orders are there by status?')
  await page.getByRole('button', { name: 'Ask agent' }).click()
  await page.getByRole('status').getByText('Completed').waitFor()
  await page.getByText('The statement ran, and its result is above.', { exact: false }).waitFor()
  assert.equal(clicks(), 3)
})

test('a stand-up begins', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Initiatives', exact: true }).click()
  await page.getByRole('link', { name: 'Totals that add up' }).click()
  await page.getByRole('link', { name: 'Start stand-up' }).click()
  await page.getByRole('button', { name: 'Start stand-up' }).click()
  const talk = page.getByRole('log', { name: 'Conversation' })
  await talk.getByText('Should receipts be sent from a queue', { exact: false }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Yes, decide for the queue.')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Proposal: Send receipts from a queue' }).waitFor()
  assert.equal(clicks(), 4)
})

test('a session is found, and its cost', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Transcripts' }).click()
  await page.getByRole('searchbox').fill('rounding')
  await page
    .getByRole('link', { name: /Round totals once/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Round totals once, at the end' }).waitFor()
  await page
    .getByText(/^\$0\.\d+/)
    .first()
    .waitFor()
  assert.equal(clicks(), 2)
})

test('a service that is down: who was notified, its incident, and what the public sees', async () => {
  const { page, clicks } = await start()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: /mail is down/ }).click()
  await page.getByText('Expected status 200, received 503.').first().waitFor()
  await page.getByRole('link', { name: 'Status page' }).click()
  await page.getByRole('link', { name: /\/status\/demo-shop/ }).click()
  await page.getByRole('heading', { name: 'Status of the demo shop' }).waitFor()
  await page.getByText('Mail', { exact: true }).first().waitFor()
  assert.equal(clicks(), 4)
})

test('a colleague is invited', async () => {
  const { page, clicks } = await start()
  await page.getByRole('link', { name: 'Groups' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Create/ })
    .click()
  await page.getByText('/join?token=', { exact: false }).waitFor()
  assert.equal(clicks(), 3)
})
